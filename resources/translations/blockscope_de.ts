<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>CircuitModels</name>
    <message>
        <source>Equation 4: the least H of all groups with %1 ≤ %2.</source>
        <translation>Gleichung 4: das kleinste H aller Gruppen mit %1 ≤ %2.</translation>
    </message>
    <message>
        <source>H* and the groups that have it (Equations 1 and 4)</source>
        <translation>H* und die Gruppen dazu (Gleichungen 1 und 4)</translation>
    </message>
    <message>
        <source>There is no H*: %1.</source>
        <translation>Es gibt kein H*: %1.</translation>
    </message>
    <message>
        <source>With memory for %1 = %2 values: %3 of %4, %5 bytes each.</source>
        <translation>Mit Speicher für %1 = %2 Werte: %3 von %4, je %5 Bytes.</translation>
    </message>
    <message>
        <source>With the sizes put in, as a formula of symbols fails: %1.</source>
        <translation>Mit eingesetzten Größen, weil eine Formel aus Symbolen scheitert: %1.</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Where H is least: its terms have the shares that Equation 4&apos;s solution gives them, and the groups fill the memory.</source>
        <translation>Wo H am kleinsten ist: Seine Glieder haben die Anteile, die die Lösung von Gleichung 4 ihnen gibt, und die Gruppen füllen den Speicher.</translation>
    </message>
    <message>
        <source>w = %1 bytes / %2</source>
        <translation>w = %1 Bytes / %2</translation>
    </message>
    <message>
        <source>Levels (Equation 2)</source>
        <translation>Ebenen (Gleichung 2)</translation>
    </message>
    <message>
        <source>Σ w H*(a, M) over the memories of the device, each at the bandwidth of the one that feeds it.</source>
        <translation>Σ w H*(a, M) über die Speicher des Geräts, jeder mit der Bandbreite dessen, der ihn speist.</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Ebene</translation>
    </message>
    <message>
        <source>Instances</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>Bandbreite</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>One instance of %1: %2 values of %3 bytes.</source>
        <translation>Ein Exemplar von %1: %2 Werte zu %3 Bytes.</translation>
    </message>
    <message>
        <source>At which the level above feeds all %1 instances together.</source>
        <translation>Mit der die Ebene darüber alle %1 Exemplare zusammen speist.</translation>
    </message>
    <message>
        <source>w · H*</source>
        <translation>w · H*</translation>
    </message>
    <message>
        <source>All together</source>
        <translation>Alle zusammen</translation>
    </message>
    <message>
        <source>Quantisation (Equation 3)</source>
        <translation>Quantisierung (Gleichung 3)</translation>
    </message>
    <message>
        <source>With q bytes per value M = bytes/q and w = q/bandwidth: a term grows as q&lt;sup&gt;1+β&lt;/sup&gt;.</source>
        <translation>Mit q Bytes je Wert ist M = Bytes/q und w = q/Bandbreite: Ein Glied wächst wie q&lt;sup&gt;1+β&lt;/sup&gt;.</translation>
    </message>
    <message>
        <source>Bytes per value</source>
        <translation>Bytes je Wert</translation>
    </message>
    <message>
        <source>Times as fast</source>
        <translation>Mal so schnell</translation>
    </message>
    <message>
        <source>%1: %2, M = %3 values, H* = %4: %5</source>
        <translation>%1: %2, M = %3 Werte, H* = %4: %5</translation>
    </message>
    <message>
        <source>gain</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>Intermediate caches (Section 4.4, Appendix A.2.1)</source>
        <translation>Zwischenspeicher (Abschnitt 4.4, Anhang A.2.1)</translation>
    </message>
    <message>
        <source>A level that only caches has the memory of all its children.</source>
        <translation>Eine Ebene, die nur zwischenspeichert, hat den Speicher all ihrer Kinder.</translation>
    </message>
    <message>
        <source>Children</source>
        <translation>Kinder</translation>
    </message>
    <message>
        <source>Values of its own</source>
        <translation>Eigene Werte</translation>
    </message>
    <message>
        <source>Values of its children</source>
        <translation>Werte der Kinder</translation>
    </message>
    <message>
        <source>H* with its own</source>
        <translation>H* mit den eigenen</translation>
    </message>
    <message>
        <source>H* as a cache</source>
        <translation>H* als Zwischenspeicher</translation>
    </message>
    <message>
        <source>No level of the device feeds several instances.</source>
        <translation>Keine Ebene des Geräts speist mehrere Exemplare.</translation>
    </message>
    <message>
        <source>Theorem 2: H*(a, N&lt;sub&gt;c&lt;/sub&gt; M&lt;sub&gt;c&lt;/sub&gt;).</source>
        <translation>Satz 2: H*(a, N&lt;sub&gt;c&lt;/sub&gt; M&lt;sub&gt;c&lt;/sub&gt;).</translation>
    </message>
    <message>
        <source>w = 0: links cost nothing</source>
        <translation>w = 0: Verbindungen kosten nichts</translation>
    </message>
    <message>
        <source>h→c: %1. x→c: %2.</source>
        <translation>h→c: %1. x→c: %2.</translation>
    </message>
    <message>
        <source>Linked instances of %1 (Section 4.5, Appendix A.2.3)</source>
        <translation>Verbundene Exemplare von %1 (Abschnitt 4.5, Anhang A.2.3)</translation>
    </message>
    <message>
        <source>N of them pass data on at %1 all together.</source>
        <translation>N davon geben Daten weiter, zusammen mit %1.</translation>
    </message>
    <message>
        <source>N of them pass data on to each other at no cost.</source>
        <translation>N davon geben Daten kostenlos untereinander weiter.</translation>
    </message>
    <message>
        <source>N</source>
        <translation>N</translation>
    </message>
    <message>
        <source>ΔH: time saved</source>
        <translation>ΔH: gesparte Zeit</translation>
    </message>
    <message>
        <source>none is enough</source>
        <translation>keiner reicht</translation>
    </message>
    <message>
        <source>values per operation</source>
        <translation>Werte je Operation</translation>
    </message>
    <message>
        <source>Transfers do not bind it while %1 is less than that.</source>
        <translation>Transfers begrenzen nicht, solange %1 kleiner ist als das.</translation>
    </message>
    <message>
        <source>* It only caches: what all its children hold (Theorem 2).</source>
        <translation>* Sie speichert nur zwischen: was alle ihre Kinder halten (Satz 2).</translation>
    </message>
    <message>
        <source>With memory without end.</source>
        <translation>Mit unbegrenztem Speicher.</translation>
    </message>
    <message>
        <source>Arithmetic intensity (Appendix B.1)</source>
        <translation>Arithmetische Intensität (Anhang B.1)</translation>
    </message>
    <message>
        <source>Left out: %1.</source>
        <translation>Weggelassen: %1.</translation>
    </message>
    <message>
        <source>Transfers per operation H*/K = %1; the device does %2 operations per second.</source>
        <translation>Transfers je Operation H*/K = %1; das Gerät rechnet %2 Operationen je Sekunde.</translation>
    </message>
    <message>
        <source>Into</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>Values per second</source>
        <translation>Werte je Sekunde</translation>
    </message>
    <message>
        <source>Values held</source>
        <translation>Gehaltene Werte</translation>
    </message>
    <message>
        <source>Least %1</source>
        <translation>Kleinstes %1</translation>
    </message>
    <message>
        <source>Axis</source>
        <translation>Achse</translation>
    </message>
    <message>
        <source>Least of it</source>
        <translation>Kleinste Größe</translation>
    </message>
    <message>
        <source>at any memory</source>
        <translation>bei jedem Speicher</translation>
    </message>
    <message>
        <source>Levels, quantisation, caches, linked instances (Equations 2 and 3)</source>
        <translation>Ebenen, Quantisierung, Zwischenspeicher, verbundene Exemplare (Gleichungen 2 und 3)</translation>
    </message>
    <message>
        <source>Left out: the device has no level whose memory and bandwidth are known.</source>
        <translation>Weggelassen: Von keiner Ebene des Geräts sind Speicher und Bandbreite bekannt.</translation>
    </message>
    <message>
        <source>Left out: there is no H*.</source>
        <translation>Weggelassen: Es gibt kein H*.</translation>
    </message>
</context>
<context>
    <name>CircuitSteps</name>
    <message>
        <source>groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>values moved by one group</source>
        <translation>Werte, die eine Gruppe bewegt</translation>
    </message>
    <message>
        <source>values moved in all</source>
        <translation>Werte, die insgesamt bewegt werden</translation>
    </message>
    <message>
        <source>values held at most</source>
        <translation>Werte, die höchstens gehalten werden</translation>
    </message>
    <message>
        <source>Can be grouped.</source>
        <translation>Kann gruppiert werden.</translation>
    </message>
    <message>
        <source>Cannot be grouped.</source>
        <translation>Kann nicht gruppiert werden.</translation>
    </message>
    <message>
        <source>Cannot be streamed.</source>
        <translation>Kann nicht strömen.</translation>
    </message>
    <message>
        <source>Can be streamed.</source>
        <translation>Kann strömen.</translation>
    </message>
    <message>
        <source>The theorem, step by step; a click draws what streams after it:</source>
        <translation>Der Satz, Schritt für Schritt; ein Klick zeichnet, was danach strömen kann:</translation>
    </message>
    <message>
        <source>Numbers that it keeps per row besides its results: %1.</source>
        <translation>Zahlen, die er je Zeile außer den Ergebnissen mitführt: %1.</translation>
    </message>
    <message>
        <source>Nothing is split</source>
        <translation>Nichts ist geteilt</translation>
    </message>
    <message>
        <source>Call %1 %2, of size %L3</source>
        <translation>%1 %2 nennen, Größe %L3</translation>
    </message>
    <message>
        <source>Call %1 %2</source>
        <translation>%1 %2 nennen</translation>
    </message>
    <message>
        <source>Group %1 in parts of %L2</source>
        <translation>%1 in Teilen von %L2 gruppieren</translation>
    </message>
    <message>
        <source>Stream %1 in parts of %L2</source>
        <translation>%1 in Teilen von %L2 strömen lassen</translation>
    </message>
    <message>
        <source>Put %1 together</source>
        <translation>%1 zusammenfügen</translation>
    </message>
    <message>
        <source>groups of %L1</source>
        <translation>Gruppen von %L1</translation>
    </message>
    <message>
        <source>stream of %L1</source>
        <translation>Strom von %L1</translation>
    </message>
    <message>
        <source>at best, with memory for %1 values</source>
        <translation>bestenfalls, mit Speicher für %1 Werte</translation>
    </message>
    <message>
        <source>Step %1 of the picture moves and holds the same: H = %2, M = %3.</source>
        <translation>Schritt %1 des Bildes bewegt und hält dasselbe: H = %2, M = %3.</translation>
    </message>
    <message>
        <source>Step %1 of the picture: H = %2, M = %3.</source>
        <translation>Schritt %1 des Bildes: H = %2, M = %3.</translation>
    </message>
    <message>
        <source>Choose an axis here, or click its wire in the diagram.</source>
        <translation>Wählen Sie hier eine Achse, oder klicken Sie ihre Leitung im Schaltbild an.</translation>
    </message>
    <message>
        <source>Both are one algorithm. With what a loop does not index loaded before it (Section 2.4) and the sums that the stream keeps counted (Section 5.1), each moves and holds H = %1, M = %2.</source>
        <translation>Beide sind ein Algorithmus. Wird vor einer Schleife geladen, was sie nicht indiziert (Abschnitt 2.4), und zählen die Summen mit, die der Strom behält (Abschnitt 5.1), so bewegt und hält jeder H = %1, M = %2.</translation>
    </message>
</context>
<context>
    <name>Core</name>
    <message>
        <source>the input port %1</source>
        <translation>Eingang %1</translation>
    </message>
    <message>
        <source>the output port %1</source>
        <translation>Ausgang %1</translation>
    </message>
    <message>
        <source>the input %1</source>
        <translation>Eingabe %1</translation>
    </message>
    <message>
        <source>the output %1</source>
        <translation>Ausgabe %1</translation>
    </message>
    <message>
        <source>the sum over %1 %2</source>
        <translation>Summe über %1 %2</translation>
    </message>
    <message>
        <source>the max over %1 %2</source>
        <translation>Maximum über %1 %2</translation>
    </message>
    <message>
        <source>the elementwise operator %1 (%2)</source>
        <translation>elementweiser Operator %1 (%2)</translation>
    </message>
    <message>
        <source>the miscellaneous operator %1 (%2)</source>
        <translation>sonstiger Operator %1 (%2)</translation>
    </message>
    <message>
        <source>the operator %1 (%2)</source>
        <translation>Operator %1 (%2)</translation>
    </message>
    <message>
        <source>the %1-map %2 (%3)</source>
        <translation>%1-Map %2 (%3)</translation>
    </message>
    <message>
        <source>a long expression</source>
        <translation>ein langer Ausdruck</translation>
    </message>
    <message>
        <source>its inner map iterates over what the outer map makes</source>
        <translation>ihre innere Map iteriert über das, was die äußere Map macht</translation>
    </message>
    <message>
        <source>its inner map and the outer map iterate over the same input</source>
        <translation>ihre innere Map und die äußere Map iterieren über dieselbe Eingabe</translation>
    </message>
    <message>
        <source>its inner map and the outer map iterate over the same value</source>
        <translation>ihre innere Map und die äußere Map iterieren über denselben Wert</translation>
    </message>
    <message>
        <source>two maps, a producer and its consumer</source>
        <translation>zwei Maps, einen Erzeuger und seinen Verbraucher</translation>
    </message>
    <message>
        <source>two maps with a common parent</source>
        <translation>zwei Maps mit einem gemeinsamen Vorgänger</translation>
    </message>
    <message>
        <source>a map and the reduction of its result</source>
        <translation>eine Map und die Reduktion ihres Ergebnisses</translation>
    </message>
    <message>
        <source>a map of %1 and the matrix multiplication that takes its result</source>
        <translation>eine Map von %1 und das Matrixprodukt, das ihr Ergebnis nimmt</translation>
    </message>
    <message>
        <source>a map of %1 (and, if you like, its consumers)</source>
        <translation>eine Map von %1 (und, wenn Sie wollen, ihre Verbraucher)</translation>
    </message>
    <message>
        <source>the map to extend (and, if you like, the outer map)</source>
        <translation>die Map, die erweitert werden soll (und, wenn Sie wollen, die äußere Map)</translation>
    </message>
    <message>
        <source>the map to peel (and, if you like, the outer map)</source>
        <translation>die Map, die geschält werden soll (und, wenn Sie wollen, die äußere Map)</translation>
    </message>
    <message>
        <source>two elementwise operators, a producer and its only consumer</source>
        <translation>zwei elementweise Operatoren, einen Erzeuger und seinen einzigen Verbraucher</translation>
    </message>
    <message>
        <source>producer</source>
        <translation>Erzeuger</translation>
    </message>
    <message>
        <source>consumer</source>
        <translation>Verbraucher</translation>
    </message>
    <message>
        <source>first</source>
        <translation>erste</translation>
    </message>
    <message>
        <source>second</source>
        <translation>zweite</translation>
    </message>
    <message>
        <source>map</source>
        <translation>Map</translation>
    </message>
    <message>
        <source>reduction</source>
        <translation>Reduktion</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>shift</source>
        <translation>Verschiebung</translation>
    </message>
    <message>
        <source>matmul</source>
        <translation>Matrixprodukt</translation>
    </message>
    <message>
        <source>extended</source>
        <translation>erweiterte</translation>
    </message>
    <message>
        <source>peeled</source>
        <translation>geschälte</translation>
    </message>
    <message>
        <source>outer</source>
        <translation>äußere</translation>
    </message>
    <message>
        <source>causal mask %1: %2</source>
        <translation>kausale Maske %1: %2</translation>
    </message>
    <message>
        <source>input %1: %2 (%3 read transposed), %4</source>
        <translation>Eingabe %1: %2 (%3 transponiert gelesen), %4</translation>
    </message>
    <message>
        <source>input %1: %2</source>
        <translation>Eingabe %1: %2</translation>
    </message>
    <message>
        <source>output %1: %2</source>
        <translation>Ausgabe %1: %2</translation>
    </message>
    <message>
        <source>operator %1: %2</source>
        <translation>Operator %1: %2</translation>
    </message>
    <message>
        <source>elementwise %1: %2, rounded to %3</source>
        <translation>elementweise %1: %2, gerundet auf %3</translation>
    </message>
    <message>
        <source>elementwise %1: %2</source>
        <translation>elementweise %1: %2</translation>
    </message>
    <message>
        <source>reduction %1: sum over %2</source>
        <translation>Reduktion %1: Summe über %2</translation>
    </message>
    <message>
        <source>reduction %1: maximum over %2</source>
        <translation>Reduktion %1: Maximum über %2</translation>
    </message>
    <message>
        <source>opaque operator %1: %2</source>
        <translation>undurchsichtiger Operator %1: %2</translation>
    </message>
    <message>
        <source>serial map %1 over %2: %3</source>
        <translation>serielle Map %1 über %2: %3</translation>
    </message>
    <message>
        <source>serial map %1 over %2</source>
        <translation>serielle Map %1 über %2</translation>
    </message>
    <message>
        <source>maps %1 over %2: %3</source>
        <translation>Maps %1 über %2: %3</translation>
    </message>
    <message>
        <source>maps %1 over %2</source>
        <translation>Maps %1 über %2</translation>
    </message>
    <message>
        <source>map %1 over %2: %3</source>
        <translation>Map %1 über %2: %3</translation>
    </message>
    <message>
        <source>map %1 over %2</source>
        <translation>Map %1 über %2</translation>
    </message>
    <message>
        <source>Fuses %1 with its consumer %2: each iteration hands its result on in local memory instead of through a list in global memory.</source>
        <translation>Verschmilzt %1 mit Verbraucher %2: Jede Iteration gibt ihr Ergebnis in lokalem Speicher weiter statt durch eine Liste in globalem Speicher.</translation>
    </message>
    <message>
        <source>Fuses the siblings %1 and %2: what both read is read once.</source>
        <translation>Verschmilzt die Geschwister %1 und %2: Was beide lesen, wird einmal gelesen.</translation>
    </message>
    <message>
        <source>Fuses %1 with %2: each result is accumulated as it comes instead of being stored in a list first.</source>
        <translation>Verschmilzt %1 mit %2: Jedes Ergebnis wird angesammelt, wie es kommt, statt zuerst in einer Liste gespeichert zu werden.</translation>
    </message>
    <message>
        <source>Multiplies first and scales the rows of the product: swaps %1 and %2.</source>
        <translation>Multipliziert zuerst und skaliert die Zeilen des Produkts: vertauscht %1 und %2.</translation>
    </message>
    <message>
        <source>Multiplies first and adds the shift&apos;s share of the product, the outer product of the shift and the row sums of the right operand: swaps %1 and %2.</source>
        <translation>Multipliziert zuerst und addiert den Anteil der Verschiebung am Produkt, das äußere Produkt der Verschiebung und der Zeilensummen des rechten Operanden: vertauscht %1 und %2.</translation>
    </message>
    <message>
        <source>Extends %1 to the entire graph, so that %2 runs inside it, once per iteration: %3.</source>
        <translation>Erweitert %1 auf den ganzen Graphen, so dass %2 darin läuft, einmal je Iteration: %3.</translation>
    </message>
    <message>
        <source>Peels the first iteration off %1, so that it can fuse with %2 without repeating work: %3.</source>
        <translation>Schält die erste Iteration von %1 ab, so dass sie mit %2 verschmelzen kann, ohne Arbeit zu wiederholen: %3.</translation>
    </message>
    <message>
        <source>Gives each of the %1 matrix multiplications that read %2 a copy of its own, so that each can be swapped with its copy.</source>
        <translation>Gibt jedem der %1 Matrixprodukte, die %2 lesen, eine eigene Kopie, so dass jedes mit seiner Kopie vertauscht werden kann.</translation>
    </message>
    <message>
        <source>Composes %1 and %2 into one elementwise operator.</source>
        <translation>Setzt %1 und %2 zu einem elementweisen Operator zusammen.</translation>
    </message>
    <message>
        <source>No rule matches anywhere in the program any more.</source>
        <translation>Nirgends im Programm passt noch eine Regel.</translation>
    </message>
    <message>
        <source>The run was stopped.</source>
        <translation>Der Lauf wurde angehalten.</translation>
    </message>
    <message>
        <source>A rule was applied by hand.</source>
        <translation>Eine Regel wurde von Hand angewendet.</translation>
    </message>
    <message>
        <source>The history has as many steps of this program as the memory is meant for. Delete a branch to go on.</source>
        <translation>Der Verlauf hat so viele Schritte dieses Programms, wie der Speicher fassen soll. Löschen Sie einen Zweig, um weiterzumachen.</translation>
    </message>
    <message>
        <source>The change was cancelled.</source>
        <translation>Die Änderung wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The program has other dimensions; sizes can be given to those that it has.</source>
        <translation>Das Programm hat andere Dimensionen; Größen können nur die bekommen, die es hat.</translation>
    </message>
    <message>
        <source>The text does not declare its dimensions one a line, so that their sizes cannot be replaced; change them in the text.</source>
        <translation>Der Text erklärt seine Dimensionen nicht eine je Zeile, so dass ihre Größen nicht ersetzt werden können; ändern Sie sie im Text.</translation>
    </message>
    <message>
        <source>there is no node %1 in this state</source>
        <translation>in diesem Zustand gibt es keinen Knoten %1</translation>
    </message>
    <message>
        <source>%1 and %2 are not in the same graph; rules see one level</source>
        <translation>%1 und %2 sind nicht im selben Graphen; Regeln sehen eine Ebene</translation>
    </message>
    <message>
        <source>%1 is not in this graph; a rule sees one level of the hierarchy at a time</source>
        <translation>%1 ist nicht in diesem Graphen; eine Regel sieht immer nur eine Ebene</translation>
    </message>
    <message>
        <source>the rule needs %1</source>
        <translation>die Regel braucht %1</translation>
    </message>
    <message>
        <source>%1 and %2 are not both maps</source>
        <translation>%1 und %2 sind nicht beide Maps</translation>
    </message>
    <message>
        <source>%1 and %2 do not start at the same iteration</source>
        <translation>%1 und %2 beginnen nicht mit derselben Iteration</translation>
    </message>
    <message>
        <source>%1 and %2 run over different dimensions</source>
        <translation>%1 und %2 laufen über verschiedene Dimensionen</translation>
    </message>
    <message>
        <source>%1 and %2 have no common parent: no value is an input of both</source>
        <translation>%1 und %2 haben keinen gemeinsamen Vorgänger: Kein Wert ist Eingabe von beiden</translation>
    </message>
    <message>
        <source>%1 and %2 are not siblings: the second needs a result of the first</source>
        <translation>%1 und %2 sind keine Geschwister: Die zweite braucht ein Ergebnis der ersten</translation>
    </message>
    <message>
        <source>%1 needs the finished sum of all iterations of %2</source>
        <translation>%1 braucht die fertige Summe aller Iterationen von %2</translation>
    </message>
    <message>
        <source>%1 needs the whole list that %2 makes in every iteration</source>
        <translation>%1 braucht in jeder Iteration die ganze Liste, die %2 macht</translation>
    </message>
    <message>
        <source>%1 needs the result of %2</source>
        <translation>%1 braucht das Ergebnis von %2</translation>
    </message>
    <message>
        <source>no edge leads from %1 to %2</source>
        <translation>keine Kante führt von %1 zu %2</translation>
    </message>
    <message>
        <source>an indirect path leads from %1 to %2: fusing them would make a cycle</source>
        <translation>ein indirekter Weg führt von %1 zu %2: Sie zu verschmelzen ergäbe einen Kreis</translation>
    </message>
    <message>
        <source>%1 is not a reduction</source>
        <translation>%1 ist keine Reduktion</translation>
    </message>
    <message>
        <source>%1 does not reduce a result of %2</source>
        <translation>%1 reduziert kein Ergebnis von %2</translation>
    </message>
    <message>
        <source>%1 does not reduce over the iterations of %2</source>
        <translation>%1 reduziert nicht über die Iterationen von %2</translation>
    </message>
    <message>
        <source>each iteration of %1 makes a list, which cannot be accumulated in local memory</source>
        <translation>jede Iteration von %1 macht eine Liste, die sich in lokalem Speicher nicht ansammeln lässt</translation>
    </message>
    <message>
        <source>something else than %1 also uses the list that %2 makes</source>
        <translation>nicht nur %1 benutzt die Liste, die %2 macht</translation>
    </message>
    <message>
        <source>%1 is not another map</source>
        <translation>%1 ist keine andere Map</translation>
    </message>
    <message>
        <source>%1 is not a map of %2 and nothing else</source>
        <translation>%1 ist keine Map von %2 und sonst nichts</translation>
    </message>
    <message>
        <source>%1 is not a map</source>
        <translation>%1 ist keine Map</translation>
    </message>
    <message>
        <source>%1 does not take the block and the vector from its inputs</source>
        <translation>%1 nimmt Block und Vektor nicht aus den eigenen Eingaben</translation>
    </message>
    <message>
        <source>%1 does not iterate over the blocks</source>
        <translation>%1 iteriert nicht über die Blöcke</translation>
    </message>
    <message>
        <source>%1 takes another vector in every iteration instead of one for all</source>
        <translation>%1 nimmt in jeder Iteration einen anderen Vektor statt eines für alle</translation>
    </message>
    <message>
        <source>%1 is not a matrix multiplication, that is, a map of { a map of dot; the sum over it }</source>
        <translation>%1 ist kein Matrixprodukt, das heißt, keine Map von { einer Map von dot; der Summe darüber }</translation>
    </message>
    <message>
        <source>%1 takes its right operand from %2</source>
        <translation>%1 nimmt den rechten Operanden von %2</translation>
    </message>
    <message>
        <source>%1 does not take its left operand from %2</source>
        <translation>%1 nimmt den linken Operanden nicht von %2</translation>
    </message>
    <message>
        <source>%1 iterates over, instead of taking whole, the result of %2</source>
        <translation>%1 iteriert über das Ergebnis von %2, statt es ganz zu nehmen</translation>
    </message>
    <message>
        <source>%1 contracts over %2 and not over the dimension of %3</source>
        <translation>%1 kontrahiert über %2 und nicht über die Dimension von %3</translation>
    </message>
    <message>
        <source>%1 has %2 consumers; its result is still needed by the others (rule 8 can duplicate it)</source>
        <translation>%1 hat %2 Verbraucher; die anderen brauchen das Ergebnis noch (Regel 8 kann es verdoppeln)</translation>
    </message>
    <message>
        <source>%1 feeds %2 matrix multiplications as their left operand; the rule needs two or more</source>
        <translation>%1 ist linker Operand von %2 Matrixprodukten; die Regel braucht zwei oder mehr</translation>
    </message>
    <message>
        <source>%1 is not a matrix multiplication that takes the scaled rows as its left operand</source>
        <translation>%1 ist kein Matrixprodukt, das die skalierten Zeilen als linken Operanden nimmt</translation>
    </message>
    <message>
        <source>%1 has been peeled already</source>
        <translation>%1 wurde schon geschält</translation>
    </message>
    <message>
        <source>%1 has been peeled</source>
        <translation>%1 wurde geschält</translation>
    </message>
    <message>
        <source>%1 carries values from one iteration to the next</source>
        <translation>%1 trägt Werte von einer Iteration zur nächsten</translation>
    </message>
    <message>
        <source>%1 does not come last: something else than an output of the graph uses its result</source>
        <translation>%1 kommt nicht zuletzt: Nicht nur eine Ausgabe des Graphen benutzt das Ergebnis</translation>
    </message>
    <message>
        <source>%1 cannot take a miscellaneous operator in</source>
        <translation>%1 kann keinen sonstigen Operator aufnehmen</translation>
    </message>
    <message>
        <source>%1 does not make every output of the graph</source>
        <translation>%1 macht nicht jede Ausgabe des Graphen</translation>
    </message>
    <message>
        <source>%1 iterates over a list that is made inside the graph, not over inputs only</source>
        <translation>%1 iteriert über eine Liste, die im Graphen entsteht, nicht nur über Eingaben</translation>
    </message>
    <message>
        <source>no other map could fuse with a map inside %1</source>
        <translation>keine andere Map könnte mit einer Map in %1 verschmelzen</translation>
    </message>
    <message>
        <source>no %1-map directly inside %2 iterates over the whole result of %3</source>
        <translation>keine %1-Map direkt in %2 iteriert über das ganze Ergebnis von %3</translation>
    </message>
    <message>
        <source>no %1-map directly inside %2 iterates over the same graph input as %3</source>
        <translation>keine %1-Map direkt in %2 iteriert über dieselbe Eingabe des Graphen wie %3</translation>
    </message>
    <message>
        <source>no %1-map directly inside %2 iterates over the same intermediate value as %3</source>
        <translation>keine %1-Map direkt in %2 iteriert über denselben Zwischenwert wie %3</translation>
    </message>
    <message>
        <source>%1 is not elementwise</source>
        <translation>%1 ist nicht elementweise</translation>
    </message>
    <message>
        <source>%1 does not feed %2</source>
        <translation>%1 speist %2 nicht</translation>
    </message>
    <message>
        <source>%1&apos;s result is used by more than %2</source>
        <translation>das Ergebnis von %1 benutzt nicht nur %2</translation>
    </message>
    <message>
        <source>%1 rounds its result to another element type before %2 reads it</source>
        <translation>%1 rundet das Ergebnis auf einen anderen Elementtyp, bevor %2 es liest</translation>
    </message>
    <message>
        <source>%1 and %2 together make an expression of more than 1000 operations</source>
        <translation>%1 und %2 ergeben zusammen einen Ausdruck von mehr als 1000 Operationen</translation>
    </message>
    <message>
        <source>Fuse Consecutive Maps</source>
        <translation>Aufeinanderfolgende Maps verschmelzen</translation>
    </message>
    <message>
        <source>two maps over one dimension, one feeding the other, become one map</source>
        <translation>zwei Maps über eine Dimension, deren eine die andere speist, werden eine</translation>
    </message>
    <message>
        <source>U and V are maps over the same dimension; every edge from U to V carries a list that U collects and V iterates over; no indirect path leads from U to V.</source>
        <translation>U und V sind Maps über dieselbe Dimension; jede Kante von U zu V trägt eine Liste, die U sammelt und über die V iteriert; kein indirekter Weg führt von U zu V.</translation>
    </message>
    <message>
        <source>Iteration i of V reads only what iteration i of U made, so the two iterations can run one after the other on the same processor.</source>
        <translation>Iteration i von V liest nur, was Iteration i von U gemacht hat, also können beide nacheinander auf demselben Prozessor laufen.</translation>
    </message>
    <message>
        <source>Removes the buffered edges between the two maps: the list between them is never materialised in global memory.</source>
        <translation>Entfernt die gepufferten Kanten zwischen den beiden Maps: Die Liste zwischen ihnen entsteht nie in globalem Speicher.</translation>
    </message>
    <message>
        <source>3.1, Rule 1</source>
        <translation>3.1, Regel 1</translation>
    </message>
    <message>
        <source>Fuse Sibling Maps</source>
        <translation>Geschwister-Maps verschmelzen</translation>
    </message>
    <message>
        <source>two maps over one dimension that read a common value become one map</source>
        <translation>zwei Maps über eine Dimension, die einen gemeinsamen Wert lesen, werden eine</translation>
    </message>
    <message>
        <source>U and V are maps over the same dimension with a common parent value; neither is reachable from the other.</source>
        <translation>U und V sind Maps über dieselbe Dimension mit einem gemeinsamen Vorgänger; keine ist von der anderen aus erreichbar.</translation>
    </message>
    <message>
        <source>The iterations of a map are independent, and neither map waits for the other, so iteration i of both can run together.</source>
        <translation>Die Iterationen einer Map sind unabhängig, und keine Map wartet auf die andere, also kann Iteration i von beiden zusammen laufen.</translation>
    </message>
    <message>
        <source>Reads the shared input once instead of twice: one buffered edge less.</source>
        <translation>Liest die gemeinsame Eingabe einmal statt zweimal: eine gepufferte Kante weniger.</translation>
    </message>
    <message>
        <source>3.1, Rule 2</source>
        <translation>3.1, Regel 2</translation>
    </message>
    <message>
        <source>Fuse Map with Reduction</source>
        <translation>Map mit Reduktion verschmelzen</translation>
    </message>
    <message>
        <source>a map and the reduction of its list become one serial loop with an accumulator</source>
        <translation>eine Map und die Reduktion ihrer Liste werden eine serielle Schleife mit einem Akkumulator</translation>
    </message>
    <message>
        <source>A list collected by a map over X has the reduction over X as its only consumer, and its elements are single items.</source>
        <translation>Eine Liste, die eine Map über X sammelt, hat als einzigen Verbraucher die Reduktion über X, und ihre Elemente sind einzelne Werte.</translation>
    </message>
    <message>
        <source>The reduction is associative and commutative, so it can take each element as soon as the map has made it.</source>
        <translation>Die Reduktion ist assoziativ und kommutativ, also kann sie jedes Element nehmen, sobald die Map es gemacht hat.</translation>
    </message>
    <message>
        <source>Removes the buffered edge between map and reduction; the list is never materialised.</source>
        <translation>Entfernt die gepufferte Kante zwischen Map und Reduktion; die Liste entsteht nie.</translation>
    </message>
    <message>
        <source>3.1, Rule 3</source>
        <translation>3.1, Regel 3</translation>
    </message>
    <message>
        <source>Linearity of Matmul: Swap Scale/Dot</source>
        <translation>Linearität des Matrixprodukts: Skalierung/Produkt tauschen</translation>
    </message>
    <message>
        <source>scaling rows before a matmul becomes scaling rows of the product</source>
        <translation>Zeilen vor einem Matrixprodukt zu skalieren wird zum Skalieren der Zeilen des Produkts</translation>
    </message>
    <message>
        <source>A map of row_scale, with one vector for all iterations, has as its only consumer a matrix multiplication that takes the result as its left operand and contracts it.</source>
        <translation>Eine Map von row_scale, mit einem Vektor für alle Iterationen, hat als einzigen Verbraucher ein Matrixprodukt, das das Ergebnis als linken Operanden nimmt und kontrahiert.</translation>
    </message>
    <message>
        <source>diag(c) A B = diag(c) (A B): scaling rows and multiplying from the right commute.</source>
        <translation>diag(c) A B = diag(c) (A B): Zeilen zu skalieren und von rechts zu multiplizieren vertauscht.</translation>
    </message>
    <message>
        <source>The multiplication no longer waits for the vector c, and the scaling runs over the product&apos;s dimension, which lets it fuse with what follows.</source>
        <translation>Das Produkt wartet nicht mehr auf den Vektor c, und die Skalierung läuft über die Dimension des Produkts, so dass sie mit dem Folgenden verschmelzen kann.</translation>
    </message>
    <message>
        <source>3.2, Rule 4</source>
        <translation>3.2, Regel 4</translation>
    </message>
    <message>
        <source>Linearity of Matmul: Swap Shift/Dot</source>
        <translation>Linearität des Matrixprodukts: Verschiebung/Produkt tauschen</translation>
    </message>
    <message>
        <source>shifting rows before a matmul becomes adding an outer product after it</source>
        <translation>Zeilen vor einem Matrixprodukt zu verschieben wird zum Addieren eines äußeren Produkts danach</translation>
    </message>
    <message>
        <source>A map of row_shift, with one vector for all iterations, has as its only consumer a matrix multiplication that takes the result as its left operand and contracts it.</source>
        <translation>Eine Map von row_shift, mit einem Vektor für alle Iterationen, hat als einzigen Verbraucher ein Matrixprodukt, das das Ergebnis als linken Operanden nimmt und kontrahiert.</translation>
    </message>
    <message>
        <source>(A + c 1^T) B = A B + c (1^T B): multiplication distributes over addition; 1^T B are the row sums of B&apos;s transpose.</source>
        <translation>(A + c 1^T) B = A B + c (1^T B): Das Produkt ist distributiv; 1^T B sind die Zeilensummen der Transponierten von B.</translation>
    </message>
    <message>
        <source>The multiplication no longer waits for the vector c, and all maps of the substitution run over the product&apos;s dimension, which lets them fuse.</source>
        <translation>Das Produkt wartet nicht mehr auf den Vektor c, und alle Maps der Ersetzung laufen über die Dimension des Produkts, so dass sie verschmelzen können.</translation>
    </message>
    <message>
        <source>3.2, Rule 5</source>
        <translation>3.2, Regel 5</translation>
    </message>
    <message>
        <source>Extend Map to the Entire Graph (a)</source>
        <translation>Map auf den ganzen Graphen erweitern (a)</translation>
    </message>
    <message>
        <source>a map takes the whole graph into its iterations: its inner map iterates over what the outer map makes</source>
        <translation>eine Map nimmt den ganzen Graphen in ihre Iterationen auf: ihre innere Map iteriert über das, was die äußere Map macht</translation>
    </message>
    <message>
        <source>V is a map over X that makes every output of the graph and iterates over graph inputs only; V&apos;s inner graph has a Y-map, another Y-map U stands outside, and its inner map iterates over what the outer map makes.</source>
        <translation>V ist eine Map über X, die jede Ausgabe des Graphen macht und nur über Eingaben des Graphen iteriert; der innere Graph von V hat eine Y-Map, eine andere Y-Map U steht außerhalb, und ihre innere Map iteriert über das, was die äußere Map macht.</translation>
    </message>
    <message>
        <source>Everything that V needs is computed again in every iteration, from the same inputs, with the same result.</source>
        <translation>Alles, was V braucht, wird in jeder Iteration neu berechnet, aus denselben Eingaben, mit demselben Ergebnis.</translation>
    </message>
    <message>
        <source>Brings two Y-maps to the same level, where rule 1 or 2 can fuse them. It replicates work: a snapshot is taken before.</source>
        <translation>Bringt zwei Y-Maps auf dieselbe Ebene, wo Regel 1 oder 2 sie verschmelzen kann. Das wiederholt Arbeit: Davor wird ein Schnappschuss gemacht.</translation>
    </message>
    <message>
        <source>3.2, Rule 6 (a)</source>
        <translation>3.2, Regel 6 (a)</translation>
    </message>
    <message>
        <source>Extend Map to the Entire Graph (b)</source>
        <translation>Map auf den ganzen Graphen erweitern (b)</translation>
    </message>
    <message>
        <source>a map takes the whole graph into its iterations: its inner map and the outer map iterate over the same input</source>
        <translation>eine Map nimmt den ganzen Graphen in ihre Iterationen auf: ihre innere Map und die äußere Map iterieren über dieselbe Eingabe</translation>
    </message>
    <message>
        <source>V is a map over X that makes every output of the graph and iterates over graph inputs only; V&apos;s inner graph has a Y-map, another Y-map U stands outside, and its inner map and the outer map iterate over the same input.</source>
        <translation>V ist eine Map über X, die jede Ausgabe des Graphen macht und nur über Eingaben des Graphen iteriert; der innere Graph von V hat eine Y-Map, eine andere Y-Map U steht außerhalb, und ihre innere Map und die äußere Map iterieren über dieselbe Eingabe.</translation>
    </message>
    <message>
        <source>3.2, Rule 6 (b)</source>
        <translation>3.2, Regel 6 (b)</translation>
    </message>
    <message>
        <source>Extend Map to the Entire Graph (c)</source>
        <translation>Map auf den ganzen Graphen erweitern (c)</translation>
    </message>
    <message>
        <source>a map takes the whole graph into its iterations: its inner map and the outer map iterate over the same value</source>
        <translation>eine Map nimmt den ganzen Graphen in ihre Iterationen auf: ihre innere Map und die äußere Map iterieren über denselben Wert</translation>
    </message>
    <message>
        <source>V is a map over X that makes every output of the graph and iterates over graph inputs only; V&apos;s inner graph has a Y-map, another Y-map U stands outside, and its inner map and the outer map iterate over the same value.</source>
        <translation>V ist eine Map über X, die jede Ausgabe des Graphen macht und nur über Eingaben des Graphen iteriert; der innere Graph von V hat eine Y-Map, eine andere Y-Map U steht außerhalb, und ihre innere Map und die äußere Map iterieren über denselben Wert.</translation>
    </message>
    <message>
        <source>3.2, Rule 6 (c)</source>
        <translation>3.2, Regel 6 (c)</translation>
    </message>
    <message>
        <source>Peel Off First Iteration (a)</source>
        <translation>Erste Iteration abschälen (a)</translation>
    </message>
    <message>
        <source>the first iteration of a map stands beside the rest: its inner map iterates over what the outer map makes</source>
        <translation>die erste Iteration einer Map steht neben dem Rest: ihre innere Map iteriert über das, was die äußere Map macht</translation>
    </message>
    <message>
        <source>V is a map over X that carries no values and has not been peeled; V&apos;s inner graph has a Y-map, another Y-map U, which does not need V, stands outside, and its inner map iterates over what the outer map makes.</source>
        <translation>V ist eine Map über X, die keine Werte trägt und nicht geschält wurde; der innere Graph von V hat eine Y-Map, eine andere Y-Map U, die V nicht braucht, steht außerhalb, und ihre innere Map iteriert über das, was die äußere Map macht.</translation>
    </message>
    <message>
        <source>The iterations of a map are independent: the first can be computed by itself and the others continue its list or sum.</source>
        <translation>Die Iterationen einer Map sind unabhängig: Die erste kann für sich berechnet werden, und die anderen setzen ihre Liste oder Summe fort.</translation>
    </message>
    <message>
        <source>Lets the outer map fuse with the peeled copy where rule 6 would replicate too much work. Offered by hand; the algorithm does not use it.</source>
        <translation>Lässt die äußere Map mit der abgeschälten Kopie verschmelzen, wo Regel 6 zu viel Arbeit wiederholen würde. Nur von Hand; der Algorithmus benutzt sie nicht.</translation>
    </message>
    <message>
        <source>3.2, Rule 7 (a)</source>
        <translation>3.2, Regel 7 (a)</translation>
    </message>
    <message>
        <source>Peel Off First Iteration (b)</source>
        <translation>Erste Iteration abschälen (b)</translation>
    </message>
    <message>
        <source>the first iteration of a map stands beside the rest: its inner map and the outer map iterate over the same input</source>
        <translation>die erste Iteration einer Map steht neben dem Rest: ihre innere Map und die äußere Map iterieren über dieselbe Eingabe</translation>
    </message>
    <message>
        <source>V is a map over X that carries no values and has not been peeled; V&apos;s inner graph has a Y-map, another Y-map U, which does not need V, stands outside, and its inner map and the outer map iterate over the same input.</source>
        <translation>V ist eine Map über X, die keine Werte trägt und nicht geschält wurde; der innere Graph von V hat eine Y-Map, eine andere Y-Map U, die V nicht braucht, steht außerhalb, und ihre innere Map und die äußere Map iterieren über dieselbe Eingabe.</translation>
    </message>
    <message>
        <source>3.2, Rule 7 (b)</source>
        <translation>3.2, Regel 7 (b)</translation>
    </message>
    <message>
        <source>Peel Off First Iteration (c)</source>
        <translation>Erste Iteration abschälen (c)</translation>
    </message>
    <message>
        <source>the first iteration of a map stands beside the rest: its inner map and the outer map iterate over the same value</source>
        <translation>die erste Iteration einer Map steht neben dem Rest: ihre innere Map und die äußere Map iterieren über denselben Wert</translation>
    </message>
    <message>
        <source>V is a map over X that carries no values and has not been peeled; V&apos;s inner graph has a Y-map, another Y-map U, which does not need V, stands outside, and its inner map and the outer map iterate over the same value.</source>
        <translation>V ist eine Map über X, die keine Werte trägt und nicht geschält wurde; der innere Graph von V hat eine Y-Map, eine andere Y-Map U, die V nicht braucht, steht außerhalb, und ihre innere Map und die äußere Map iterieren über denselben Wert.</translation>
    </message>
    <message>
        <source>3.2, Rule 7 (c)</source>
        <translation>3.2, Regel 7 (c)</translation>
    </message>
    <message>
        <source>Duplicate Mapped Scale</source>
        <translation>Skalierung verdoppeln</translation>
    </message>
    <message>
        <source>a row scaling that feeds several matmuls is copied, one copy each</source>
        <translation>eine Zeilenskalierung, die mehrere Matrixprodukte speist, wird kopiert, für jedes eine</translation>
    </message>
    <message>
        <source>A map of row_scale feeds two or more matrix multiplications as their left operand.</source>
        <translation>Eine Map von row_scale ist linker Operand von zwei oder mehr Matrixprodukten.</translation>
    </message>
    <message>
        <source>Computing a value twice gives the same value twice.</source>
        <translation>Einen Wert zweimal zu berechnen ergibt zweimal denselben Wert.</translation>
    </message>
    <message>
        <source>Each copy has one consumer, which is what rule 4 needs.</source>
        <translation>Jede Kopie hat einen Verbraucher, und das braucht Regel 4.</translation>
    </message>
    <message>
        <source>3.2, Rule 8</source>
        <translation>3.2, Regel 8</translation>
    </message>
    <message>
        <source>Duplicate Mapped Shift</source>
        <translation>Verschiebung verdoppeln</translation>
    </message>
    <message>
        <source>a row shift that feeds several matmuls is copied, one copy each</source>
        <translation>eine Zeilenverschiebung, die mehrere Matrixprodukte speist, wird kopiert, für jedes eine</translation>
    </message>
    <message>
        <source>A map of row_shift feeds two or more matrix multiplications as their left operand.</source>
        <translation>Eine Map von row_shift ist linker Operand von zwei oder mehr Matrixprodukten.</translation>
    </message>
    <message>
        <source>Each copy has one consumer, which is what rule 5 needs.</source>
        <translation>Jede Kopie hat einen Verbraucher, und das braucht Regel 5.</translation>
    </message>
    <message>
        <source>3.2, Rule 8 (the twin that the paper suggests)</source>
        <translation>3.2, Regel 8 (der Zwilling, den der Aufsatz andeutet)</translation>
    </message>
    <message>
        <source>Fuse Consecutive Elementwise</source>
        <translation>Aufeinanderfolgende elementweise Operatoren verschmelzen</translation>
    </message>
    <message>
        <source>two consecutive elementwise operators become one</source>
        <translation>zwei aufeinanderfolgende elementweise Operatoren werden einer</translation>
    </message>
    <message>
        <source>f and g are elementwise operators and g is the only user of f&apos;s result.</source>
        <translation>f und g sind elementweise Operatoren, und nur g benutzt das Ergebnis von f.</translation>
    </message>
    <message>
        <source>Applying f and then g to each element is applying their composition to each element.</source>
        <translation>Auf jedes Element f und dann g anzuwenden heißt, ihre Verkettung darauf anzuwenden.</translation>
    </message>
    <message>
        <source>One operator instead of two: fewer passes over the block and fewer calls.</source>
        <translation>Ein Operator statt zweier: weniger Durchgänge durch den Block und weniger Aufrufe.</translation>
    </message>
    <message>
        <source>3.2, Rule 9</source>
        <translation>3.2, Regel 9</translation>
    </message>
    <message>
        <source>sum over %1</source>
        <translation>Summe über %1</translation>
    </message>
    <message>
        <source>max over %1</source>
        <translation>Maximum über %1</translation>
    </message>
    <message>
        <source>input %1</source>
        <translation>Eingabe %1</translation>
    </message>
    <message>
        <source>output %1</source>
        <translation>Ausgabe %1</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>A kernel takes as long as its slowest resource: the bytes that its listing moves at the memory&apos;s bandwidth, or the operations of one unit at that unit&apos;s peak. Everything overlaps perfectly, nothing else costs time: a bound from below for what the listing moves. Caches may move less.</source>
        <translation>Ein Kernel braucht so lange wie seine langsamste Ressource: die Bytes, die sein Listing bewegt, bei der Bandbreite des Speichers, oder die Operationen einer Einheit bei deren Spitzenleistung. Alles überlappt sich vollkommen, nichts anderes kostet Zeit: eine untere Schranke für das, was das Listing bewegt. Mit Caches kann es weniger sein.</translation>
    </message>
    <message>
        <source>MCFuser</source>
        <translation>MCFuser</translation>
    </message>
    <message>
        <source>Memory and compute times add up: every load and store, moved out of the innermost loops that do not index it, at the memory&apos;s bandwidth; every operation at the matrix peak. A factor makes kernels with few thread blocks slower. It is made to rank the schedules of one program, not for absolute times.</source>
        <translation>Speicher- und Rechenzeiten addieren sich: jedes Laden und Speichern, herausgezogen aus den innersten Schleifen, die es nicht indizieren, bei der Bandbreite des Speichers; jede Operation bei der Spitzenleistung der Matrixeinheit. Ein Faktor macht Kernel mit wenigen Thread-Blöcken langsamer. Das Modell soll die Varianten eines Programms in eine Rangfolge bringen, nicht absolute Zeiten vorhersagen.</translation>
    </message>
    <message>
        <source>Fusion benefit</source>
        <translation>Fusionsgewinn</translation>
    </message>
    <message>
        <source>Compute, memory and launch times of every kernel add up. Fusing leaves the compute time as it is, and takes away transfers of intermediates and launches: the model shows what a fusion saves.</source>
        <translation>Rechen-, Speicher- und Startzeiten jedes Kernels addieren sich. Verschmelzen lässt die Rechenzeit, wie sie ist, und spart Übertragungen von Zwischenergebnissen und Starts: Das Modell zeigt, was eine Fusion einspart.</translation>
    </message>
    <message>
        <source>Blockscope</source>
        <translation>Blockscope</translation>
    </message>
    <message>
        <source>Every resource of a processor has its time for one task: matrix unit, local memory, vector and special units, caches. The longest counts in full, of the others what does not overlap. Tasks run in waves over the processors; memory is shared by all, and what a cache holds between two reads is not read from it again; launches cost. Its free parameters are calibrated for a device, and refitted to measurements.</source>
        <translation>Jede Ressource eines Prozessors hat ihre Zeit für eine Aufgabe: Matrixeinheit, lokaler Speicher, Vektor- und Spezialeinheiten, Caches. Die längste zählt voll, von den übrigen das, was sich nicht überlappt. Aufgaben laufen in Wellen über die Prozessoren; den Speicher teilen sich alle, und was ein Cache zwischen zwei Lesevorgängen behält, wird nicht noch einmal aus dem Speicher gelesen; Starts kosten Zeit. Die freien Parameter sind für ein Gerät kalibriert und werden an Messungen neu angepasst.</translation>
    </message>
    <message>
        <source>further problems are not listed</source>
        <translation>weitere Probleme werden nicht aufgezählt</translation>
    </message>
    <message>
        <source>found the dimension %1 beside %2, which differs only in upper and lower case; their loop variables would be the same, expected another name</source>
        <translation>Gefunden: die Dimension %1 neben %2, die sich nur in Groß- und Kleinschreibung unterscheidet; ihre Schleifenvariablen wären gleich, erwartet: ein anderer Name</translation>
    </message>
    <message>
        <source>found the name %1; a T followed by digits is kept for the temporaries of listings, expected another name</source>
        <translation>Gefunden: der Name %1; ein T mit Ziffern ist den Zwischenwerten der Listings vorbehalten, erwartet: ein anderer Name</translation>
    </message>
    <message>
        <source>found a block size of %1 for the dimension %2; batch and group dimensions have none</source>
        <translation>Gefunden: die Blockgröße %1 für die Dimension %2; Batch- und Gruppendimensionen haben keine</translation>
    </message>
    <message>
        <source>found %1; expected %2. Did you mean %3?</source>
        <translation>Gefunden: %1; erwartet: %2. War %3 gemeint?</translation>
    </message>
    <message>
        <source>found %1; expected %2</source>
        <translation>Gefunden: %1; erwartet: %2</translation>
    </message>
    <message>
        <source>found %1; %2 expects %3</source>
        <translation>Gefunden: %1; %2 erwartet: %3</translation>
    </message>
    <message>
        <source>found %1; at most %2 are allowed</source>
        <translation>Gefunden: %1; höchstens %2 sind erlaubt</translation>
    </message>
    <message>
        <source>found %1; dims declares the known ones</source>
        <translation>Gefunden: %1; die bekannten stehen unter dims</translation>
    </message>
    <message>
        <source>found %1; the keys here are %2</source>
        <translation>Gefunden: %1; die Schlüssel sind hier %2</translation>
    </message>
    <message>
        <source>found %1; an operator takes earlier ones only</source>
        <translation>Gefunden: %1; ein Operator nimmt nur frühere</translation>
    </message>
    <message>
        <source>found output %1 of node %2, which has %3 (counted from 0)</source>
        <translation>Gefunden: Ausgabe %1 von Knoten %2, der %3 hat (ab 0 gezählt)</translation>
    </message>
    <message>
        <source>this is not JSON: %1</source>
        <translation>Das ist kein JSON: %1</translation>
    </message>
    <message>
        <source>the file is empty; a JSON object is expected</source>
        <translation>Die Datei ist leer; erwartet wird ein JSON-Objekt</translation>
    </message>
    <message>
        <source>the file has %1 bytes; at most %2 (64 MiB) are allowed</source>
        <translation>Die Datei hat %1 Byte; höchstens %2 (64 MiB) sind erlaubt</translation>
    </message>
    <message>
        <source>byte %1 of the file is a NUL; JSON text holds none</source>
        <translation>Byte %1 der Datei ist ein NUL; JSON-Text enthält keines</translation>
    </message>
    <message>
        <source>the document has more than %1 values, the most that is allowed</source>
        <translation>Das Dokument hat mehr als die erlaubten %1 Werte</translation>
    </message>
    <message>
        <source>arrays and objects are nested more than %1 deep, the most that is allowed</source>
        <translation>Arrays und Objekte sind tiefer als die erlaubten %1 Ebenen geschachtelt</translation>
    </message>
    <message>
        <source>a key of this object has %1 bytes; at most %2 are allowed</source>
        <translation>Ein Schlüssel dieses Objekts hat %1 Byte; höchstens %2 sind erlaubt</translation>
    </message>
    <message>
        <source>an object has more than %1 keys, the most that is allowed</source>
        <translation>Ein Objekt hat mehr als die erlaubten %1 Schlüssel</translation>
    </message>
    <message>
        <source>the key %1 appears twice in this object; once is allowed</source>
        <translation>Der Schlüssel %1 steht zweimal in diesem Objekt; erlaubt ist einmal</translation>
    </message>
    <message>
        <source>the key %1 is missing</source>
        <translation>Der Schlüssel %1 fehlt</translation>
    </message>
    <message>
        <source>the key %1 belongs to inputs of mode %2, and to all of them</source>
        <translation>Der Schlüssel %1 gehört zu Eingaben der Art %2, und zu allen</translation>
    </message>
    <message>
        <source>the key %1 belongs to outputs of mode %2, and to all of them</source>
        <translation>Der Schlüssel %1 gehört zu Ausgaben der Art %2, und zu allen</translation>
    </message>
    <message>
        <source>the dimension %1 is declared twice; every dimension needs a name of its own</source>
        <translation>Die Dimension %1 ist zweimal deklariert; jede braucht einen eigenen Namen</translation>
    </message>
    <message>
        <source>the id %1 is that of %2 already; every node needs an id of its own</source>
        <translation>Die Nummer %1 hat schon %2; jeder Knoten braucht eine eigene</translation>
    </message>
    <message>
        <source>the program has no output; at least one is expected</source>
        <translation>Das Programm hat keine Ausgabe; erwartet wird mindestens eine</translation>
    </message>
    <message>
        <source>the program has more than %1 nodes, the most that is allowed</source>
        <translation>Das Programm hat mehr als die erlaubten %1 Knoten</translation>
    </message>
    <message>
        <source>the program has more than %1 edges, the most that is allowed</source>
        <translation>Das Programm hat mehr als die erlaubten %1 Kanten</translation>
    </message>
    <message>
        <source>maps are nested more than %1 deep, the most that is allowed</source>
        <translation>Maps sind tiefer als die erlaubten %1 Ebenen geschachtelt</translation>
    </message>
    <message>
        <source>the operators have more than %1 operands together, the most that is allowed</source>
        <translation>Die Operatoren haben zusammen mehr als die erlaubten %1 Operanden</translation>
    </message>
    <message>
        <source>the first entry of an expression cannot use earlier ones; arg, number or size is expected</source>
        <translation>Der erste Eintrag eines Ausdrucks kann keine früheren verwenden; erwartet wird arg, number oder size</translation>
    </message>
    <message>
        <source>with shared parts written out, this expression has %1 nodes; at most %2 are allowed</source>
        <translation>Mit ausgeschriebenen gemeinsamen Teilen hat dieser Ausdruck %1 Knoten; höchstens %2 sind erlaubt</translation>
    </message>
    <message>
        <source>the expressions of this document have more than %1 nodes together, the most that is allowed</source>
        <translation>Die Ausdrücke dieses Dokuments haben zusammen mehr als die erlaubten %1 Knoten</translation>
    </message>
    <message>
        <source>there is no node %1 in this graph; a node reads nodes of its own graph</source>
        <translation>In diesem Graphen gibt es keinen Knoten %1; ein Knoten liest Knoten seines eigenen Graphen</translation>
    </message>
    <message>
        <source>node %1 reads itself; a node reads nodes that come before it</source>
        <translation>Knoten %1 liest sich selbst; ein Knoten liest Knoten vor ihm</translation>
    </message>
    <message>
        <source>node %1 comes later in this graph; a node reads nodes that come before it</source>
        <translation>Knoten %1 kommt in diesem Graphen später; ein Knoten liest Knoten vor ihm</translation>
    </message>
    <message>
        <source>at this step the graph at the given path has no node %1</source>
        <translation>Bei diesem Schritt hat der Graph an diesem Pfad keinen Knoten %1</translation>
    </message>
    <message>
        <source>at this step the program has no maps with these ids inside each other</source>
        <translation>Bei diesem Schritt hat das Programm keine so ineinander liegenden Maps mit diesen Nummern</translation>
    </message>
    <message>
        <source>rule %1 has no match with these roles and this dimension at this step</source>
        <translation>Regel %1 passt bei diesem Schritt nicht mit diesen Rollen und dieser Dimension</translation>
    </message>
    <message>
        <source>this step gives %1, found %2</source>
        <translation>Dieser Schritt ergibt %1, gefunden: %2</translation>
    </message>
    <message>
        <source>%1 has the type %2, whose size in bytes does not fit 63 bits</source>
        <translation>%1 hat den Typ %2, dessen Größe in Byte nicht in 63 Bit passt</translation>
    </message>
    <message>
        <source>%1 has the type %2; a program&apos;s array is a list over batch dimensions and then its items&apos; axes</source>
        <translation>%1 hat den Typ %2; ein Array eines Programms ist eine Liste über Batch-Dimensionen und dann die Achsen seiner Elemente</translation>
    </message>
    <message>
        <source>%1 is read transposed, which only an array of blocks can be</source>
        <translation>%1 wird transponiert gelesen, was nur bei Arrays aus Blöcken geht</translation>
    </message>
    <message>
        <source>%1 reads an output that %2 does not have</source>
        <translation>%1 liest eine Ausgabe, die %2 nicht hat</translation>
    </message>
    <message>
        <source>%1: a reduction over %2 needs a list over it, found %3</source>
        <translation>%1: eine Reduktion über %2 braucht eine Liste darüber, gefunden: %3</translation>
    </message>
    <message>
        <source>%1: %2 takes items, found the list %3</source>
        <translation>%1: %2 nimmt einzelne Elemente, gefunden: die Liste %3</translation>
    </message>
    <message>
        <source>%1: a map over %2 cannot iterate over %3</source>
        <translation>%1: eine Map über %2 kann nicht über %3 iterieren</translation>
    </message>
    <message>
        <source>%1 declares types that its inputs do not give</source>
        <translation>%1 nennt Typen, die seine Eingaben nicht ergeben</translation>
    </message>
    <message>
        <source>%1: a continued input names no output</source>
        <translation>%1: eine fortgesetzte Eingabe nennt keine Ausgabe</translation>
    </message>
    <message>
        <source>%1: a map has more inputs than its inner graph</source>
        <translation>%1: eine Map hat mehr Eingaben als ihr innerer Graph</translation>
    </message>
    <message>
        <source>%1: an inner graph has more inputs than its map</source>
        <translation>%1: ein innerer Graph hat mehr Eingaben als seine Map</translation>
    </message>
    <message>
        <source>%1: a map&apos;s output modes do not fit its inner graph&apos;s outputs</source>
        <translation>%1: die Arten der Ausgaben einer Map passen nicht zu denen ihres inneren Graphen</translation>
    </message>
    <message>
        <source>%1: a map&apos;s reduced or carried output needs an item, found the list %2</source>
        <translation>%1: eine reduzierte oder mitgeführte Ausgabe einer Map braucht ein einzelnes Element, gefunden: die Liste %2</translation>
    </message>
    <message>
        <source>expected one of the keys source (a program in the text language) and program (a block program), found both</source>
        <translation>Erwartet: einer der Schlüssel source (ein Programm in der Textsprache) und program (ein Blockprogramm), gefunden: beide</translation>
    </message>
    <message>
        <source>expected one of the keys source (a program in the text language) and program (a block program), found neither</source>
        <translation>Erwartet: einer der Schlüssel source (ein Programm in der Textsprache) und program (ein Blockprogramm), gefunden: keiner</translation>
    </message>
    <message>
        <source>found a line break within a line; expected one string for each line</source>
        <translation>Gefunden: ein Zeilenumbruch in einer Zeile; erwartet: eine Zeichenkette je Zeile</translation>
    </message>
    <message>
        <source>column %1: %2</source>
        <translation>Spalte %1: %2</translation>
    </message>
    <message>
        <source>every id must be below next_state, %1</source>
        <translation>Jede Nummer muss unter next_state, %1, liegen</translation>
    </message>
    <message>
        <source>state %1 is the same step from the same parent</source>
        <translation>Zustand %1 ist derselbe Schritt von demselben Vorgänger</translation>
    </message>
    <message>
        <source>the states up to here have more than %1 nodes together; expected fewer steps or a smaller program</source>
        <translation>Die Zustände bis hierher haben zusammen mehr als %1 Knoten; erwartet: weniger Schritte oder ein kleineres Programm</translation>
    </message>
    <message>
        <source>the reading was cancelled here</source>
        <translation>Das Lesen wurde hier abgebrochen</translation>
    </message>
    <message>
        <source>this step would need node ids above %1</source>
        <translation>Dieser Schritt bräuchte Knotennummern über %1</translation>
    </message>
    <message>
        <source>this step cannot be repeated: %1</source>
        <translation>Dieser Schritt lässt sich nicht wiederholen: %1</translation>
    </message>
    <message>
        <source>there is no state %1 up to here</source>
        <translation>Bis hierher gibt es keinen Zustand %1</translation>
    </message>
    <message>
        <source>there is no branch %1</source>
        <translation>Es gibt keinen Zweig %1</translation>
    </message>
    <message>
        <source>this branch does not lead through the current state, %1</source>
        <translation>Dieser Zweig führt nicht durch den aktuellen Zustand, %1</translation>
    </message>
    <message>
        <source>expected a scale above 0</source>
        <translation>Erwartet: ein Maßstab über 0</translation>
    </message>
    <message>
        <source>expected a node, an object with the keys id and kind</source>
        <translation>Erwartet: ein Knoten, ein Objekt mit den Schlüsseln id und kind</translation>
    </message>
    <message>
        <source>expected an operator, an object with the key kind</source>
        <translation>Erwartet: ein Operator, ein Objekt mit dem Schlüssel kind</translation>
    </message>
    <message>
        <source>expected an object with the keys format and version (docs/json.md)</source>
        <translation>Erwartet: ein Objekt mit den Schlüsseln format und version (docs/json.md)</translation>
    </message>
    <message>
        <source>expected %1, found %2</source>
        <translation>Erwartet: %1, gefunden: %2</translation>
    </message>
    <message>
        <source>the end of the line after the block size</source>
        <translation>das Ende der Zeile nach der Blockgröße</translation>
    </message>
    <message>
        <source>the end of the line</source>
        <translation>das Ende der Zeile</translation>
    </message>
    <message>
        <source>the end of the file</source>
        <translation>das Ende der Datei</translation>
    </message>
    <message>
        <source>the number %1</source>
        <translation>die Zahl %1</translation>
    </message>
    <message>
        <source>the character %1, which is no part of the language</source>
        <translation>das Zeichen %1, das nicht zur Sprache gehört</translation>
    </message>
    <message>
        <source>%1, which is no part of the language</source>
        <translation>%1, was nicht zur Sprache gehört</translation>
    </message>
    <message>
        <source>the text %1</source>
        <translation>der Text %1</translation>
    </message>
    <message>
        <source>%1, which has no closing quote</source>
        <translation>%1 ohne schließendes Anführungszeichen</translation>
    </message>
    <message>
        <source>%1, which is not a number</source>
        <translation>%1, was keine Zahl ist</translation>
    </message>
    <message>
        <source>%1, which is out of range</source>
        <translation>%1, was zu groß oder zu klein ist</translation>
    </message>
    <message>
        <source>%1, which is longer than 256 bytes</source>
        <translation>%1, was länger als 256 Byte ist</translation>
    </message>
    <message>
        <source>%1, which nothing uses</source>
        <translation>%1, das nichts verwendet</translation>
    </message>
    <message>
        <source>the byte %1, which is a control character</source>
        <translation>das Byte %1, ein Steuerzeichen</translation>
    </message>
    <message>
        <source>the byte %1, which is not UTF-8</source>
        <translation>das Byte %1, das kein UTF-8 ist</translation>
    </message>
    <message>
        <source>the name %1, which is not defined before this line</source>
        <translation>der Name %1, der vor dieser Zeile nicht definiert ist</translation>
    </message>
    <message>
        <source>the name %1, which is not defined</source>
        <translation>der Name %1, der nicht definiert ist</translation>
    </message>
    <message>
        <source>the name %1, which is a function of the language</source>
        <translation>der Name %1, eine Funktion der Sprache</translation>
    </message>
    <message>
        <source>the name %1, which is a word of the language</source>
        <translation>der Name %1, ein Wort der Sprache</translation>
    </message>
    <message>
        <source>the name %1 beside the dimension %2, whose size listings call %3</source>
        <translation>der Name %1 neben der Dimension %2, deren Größe in Listings %3 heißt</translation>
    </message>
    <message>
        <source>the name %1 beside the input %2, whose transpose, which the program reads, has that name in listings</source>
        <translation>der Name %1 neben der Eingabe %2, deren Transponierte, die das Programm liest, in Listings so heißt</translation>
    </message>
    <message>
        <source>the dimension %1 beside %2, which is how listings call the size of %3</source>
        <translation>die Dimension %1 neben %2, wie Listings die Größe von %3 nennen</translation>
    </message>
    <message>
        <source>the dimension name %1, whose loop variable %2 is a word of the language</source>
        <translation>der Dimensionsname %1, dessen Schleifenvariable %2 ein Wort der Sprache ist</translation>
    </message>
    <message>
        <source>the dimension name %1</source>
        <translation>der Dimensionsname %1</translation>
    </message>
    <message>
        <source>the operator name %1, which is a word of the language</source>
        <translation>der Operatorname %1, ein Wort der Sprache</translation>
    </message>
    <message>
        <source>the operator name %1</source>
        <translation>der Operatorname %1</translation>
    </message>
    <message>
        <source>a second definition of %1, which is already an array (line %2)</source>
        <translation>eine zweite Definition von %1, was schon ein Array ist (Zeile %2)</translation>
    </message>
    <message>
        <source>a second definition of %1, which is already a dimension (line %2)</source>
        <translation>eine zweite Definition von %1, was schon eine Dimension ist (Zeile %2)</translation>
    </message>
    <message>
        <source>a second definition of %1, which is already an array</source>
        <translation>eine zweite Definition von %1, was schon ein Array ist</translation>
    </message>
    <message>
        <source>a second definition of %1, which is already a dimension</source>
        <translation>eine zweite Definition von %1, was schon eine Dimension ist</translation>
    </message>
    <message>
        <source>the array %1 inside elementwise(...: ...)</source>
        <translation>das Array %1 in elementwise(...: ...)</translation>
    </message>
    <message>
        <source>the array %1</source>
        <translation>das Array %1</translation>
    </message>
    <message>
        <source>the type %1 for %2</source>
        <translation>der Typ %1 für %2</translation>
    </message>
    <message>
        <source>the type %1</source>
        <translation>der Typ %1</translation>
    </message>
    <message>
        <source>the shape %1 for %2</source>
        <translation>die Form %1 für %2</translation>
    </message>
    <message>
        <source>the output %1 a second time</source>
        <translation>die Ausgabe %1 zum zweiten Mal</translation>
    </message>
    <message>
        <source>the size %1 of %2</source>
        <translation>die Größe %1 von %2</translation>
    </message>
    <message>
        <source>the block size %1 of %2</source>
        <translation>die Blockgröße %1 von %2</translation>
    </message>
    <message>
        <source>a number for %1</source>
        <translation>eine Zahl für %1</translation>
    </message>
    <message>
        <source>a number that is not finite</source>
        <translation>eine Zahl, die nicht endlich ist</translation>
    </message>
    <message>
        <source>no output</source>
        <translation>keine Ausgabe</translation>
    </message>
    <message>
        <source>an expression nested more than 128 levels deep</source>
        <translation>ein Ausdruck mit mehr als 128 Ebenen</translation>
    </message>
    <message>
        <source>an expression of more than 128 levels</source>
        <translation>ein Ausdruck mit mehr als 128 Ebenen</translation>
    </message>
    <message>
        <source>an expression of more than 10000 operations</source>
        <translation>ein Ausdruck mit mehr als 10000 Operationen</translation>
    </message>
    <message>
        <source>an expression</source>
        <translation>ein Ausdruck</translation>
    </message>
    <message>
        <source>an operator without an expression</source>
        <translation>ein Operator ohne Ausdruck</translation>
    </message>
    <message>
        <source>the size of an unknown dimension</source>
        <translation>die Größe einer unbekannten Dimension</translation>
    </message>
    <message>
        <source>an unknown dimension</source>
        <translation>eine unbekannte Dimension</translation>
    </message>
    <message>
        <source>an unknown form</source>
        <translation>eine unbekannte Form</translation>
    </message>
    <message>
        <source>something else as eps</source>
        <translation>etwas anderes als eps</translation>
    </message>
    <message>
        <source>eps= with form=paper</source>
        <translation>eps= mit form=paper</translation>
    </message>
    <message>
        <source>the argument %1 of %2</source>
        <translation>das Argument %1 von %2</translation>
    </message>
    <message>
        <source>the argument %1</source>
        <translation>das Argument %1</translation>
    </message>
    <message>
        <source>argument %1 in an expression</source>
        <translation>Argument %1 in einem Ausdruck</translation>
    </message>
    <message>
        <source>an array as %1 of %2</source>
        <translation>ein Array als %1 von %2</translation>
    </message>
    <message>
        <source>1 argument of %1</source>
        <translation>1 Argument von %1</translation>
    </message>
    <message>
        <source>%1 arguments of %2</source>
        <translation>%1 Argumente von %2</translation>
    </message>
    <message>
        <source>the function %1 without arguments</source>
        <translation>die Funktion %1 ohne Argumente</translation>
    </message>
    <message>
        <source>%1, which is no function but an array or a dimension</source>
        <translation>%1, was keine Funktion ist, sondern ein Array oder eine Dimension</translation>
    </message>
    <message>
        <source>%1, which is no function</source>
        <translation>%1, was keine Funktion ist</translation>
    </message>
    <message>
        <source>custom without a name or without an array</source>
        <translation>custom ohne Namen oder ohne Array</translation>
    </message>
    <message>
        <source>%1 as a batch dimension, declared with blocks of %2</source>
        <translation>%1 als Batch-Dimension, deklariert mit Blöcken von %2</translation>
    </message>
    <message>
        <source>the batch dimension %1 as an axis</source>
        <translation>die Batch-Dimension %1 als Achse</translation>
    </message>
    <message>
        <source>the group dimension %1 as an axis</source>
        <translation>die Gruppendimension %1 als Achse</translation>
    </message>
    <message>
        <source>the batch dimension %1 twice</source>
        <translation>die Batch-Dimension %1 zweimal</translation>
    </message>
    <message>
        <source>column(...) where there is no matrix</source>
        <translation>column(...), wo keine Matrix ist</translation>
    </message>
    <message>
        <source>column of %1</source>
        <translation>column von %1</translation>
    </message>
    <message>
        <source>causal of %1</source>
        <translation>causal von %1</translation>
    </message>
    <message>
        <source>&apos;@&apos; beside something that is no matrix</source>
        <translation>&apos;@&apos; neben etwas, das keine Matrix ist</translation>
    </message>
    <message>
        <source>%1 @ %2, whose inner dimensions are %3 and %4</source>
        <translation>%1 @ %2 mit den inneren Dimensionen %3 und %4</translation>
    </message>
    <message>
        <source>%1 of type %2 and %3 of type %4</source>
        <translation>%1 vom Typ %2 und %3 vom Typ %4</translation>
    </message>
    <message>
        <source>%1 and %2, whose batch dimensions are in a different order</source>
        <translation>%1 und %2, deren Batch-Dimensionen anders geordnet sind</translation>
    </message>
    <message>
        <source>%1 without the batch dimension %2 of the other operand</source>
        <translation>%1 ohne die Batch-Dimension %2 des anderen Operanden</translation>
    </message>
    <message>
        <source>a left operand %1</source>
        <translation>ein linker Operand %1</translation>
    </message>
    <message>
        <source>a right operand %1</source>
        <translation>ein rechter Operand %1</translation>
    </message>
    <message>
        <source>an operand %1</source>
        <translation>ein Operand %1</translation>
    </message>
    <message>
        <source>operand %1 of operator %2</source>
        <translation>Operand %1 von Operator %2</translation>
    </message>
    <message>
        <source>a result of more than %1 dimensions</source>
        <translation>ein Ergebnis mit mehr als %1 Dimensionen</translation>
    </message>
    <message>
        <source>more than %1 dimensions</source>
        <translation>mehr als %1 Dimensionen</translation>
    </message>
    <message>
        <source>more than %1 array operators</source>
        <translation>mehr als %1 Array-Operatoren</translation>
    </message>
    <message>
        <source>a mask %1</source>
        <translation>eine Maske %1</translation>
    </message>
    <message>
        <source>a product of %1 batch dimensions</source>
        <translation>ein Produkt mit %1 Batch-Dimensionen</translation>
    </message>
    <message>
        <source>the weight %1</source>
        <translation>das Gewicht %1</translation>
    </message>
    <message>
        <source>the bias %1</source>
        <translation>der Bias %1</translation>
    </message>
    <message>
        <source>a weight with batch dimensions that %1 lacks</source>
        <translation>ein Gewicht mit Batch-Dimensionen, die %1 fehlen</translation>
    </message>
    <message>
        <source>a block size of %1</source>
        <translation>die Blockgröße %1</translation>
    </message>
    <message>
        <source>an array %1 of more than 2^60 elements</source>
        <translation>ein Array %1 mit mehr als 2^60 Elementen</translation>
    </message>
    <message>
        <source>a comment of more than %1 lines</source>
        <translation>ein Kommentar mit mehr als %1 Zeilen</translation>
    </message>
    <message>
        <source>a comment that is no line of text</source>
        <translation>ein Kommentar, der keine Textzeile ist</translation>
    </message>
    <message>
        <source>a name that is no name</source>
        <translation>ein Name, der keiner ist</translation>
    </message>
    <message>
        <source>a name of more than 256 bytes</source>
        <translation>ein Name mit mehr als 256 Byte</translation>
    </message>
    <message>
        <source>%1 arrays for %2 parameters</source>
        <translation>%1 Arrays für %2 Parameter</translation>
    </message>
    <message>
        <source>the parameter %1, which the expression does not use</source>
        <translation>der Parameter %1, den der Ausdruck nicht verwendet</translation>
    </message>
    <message>
        <source>the parameter %1, whose name is taken</source>
        <translation>der Parameter %1, dessen Name vergeben ist</translation>
    </message>
    <message>
        <source>elementwise inside elementwise</source>
        <translation>elementwise in elementwise</translation>
    </message>
    <message>
        <source>%1 inside elementwise(...: ...)</source>
        <translation>%1 in elementwise(...: ...)</translation>
    </message>
    <message>
        <source>a program that is too large</source>
        <translation>ein zu großes Programm</translation>
    </message>
    <message>
        <source>the string %1</source>
        <translation>die Zeichenkette %1</translation>
    </message>
    <message>
        <source>a string of %1 bytes</source>
        <translation>eine Zeichenkette mit %1 Byte</translation>
    </message>
    <message>
        <source>an object with the keys %1</source>
        <translation>ein Objekt mit den Schlüsseln %1</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>ein Objekt</translation>
    </message>
    <message>
        <source>the unknown key %1</source>
        <translation>der unbekannte Schlüssel %1</translation>
    </message>
    <message>
        <source>the unknown dimension %1</source>
        <translation>die unbekannte Dimension %1</translation>
    </message>
    <message>
        <source>another name</source>
        <translation>ein anderer Name</translation>
    </message>
    <message>
        <source>a new name</source>
        <translation>ein neuer Name</translation>
    </message>
    <message>
        <source>a shorter name</source>
        <translation>ein kürzerer Name</translation>
    </message>
    <message>
        <source>a shorter one</source>
        <translation>ein kürzerer</translation>
    </message>
    <message>
        <source>a finite one</source>
        <translation>eine endliche</translation>
    </message>
    <message>
        <source>a declared one</source>
        <translation>eine deklarierte</translation>
    </message>
    <message>
        <source>fewer</source>
        <translation>weniger</translation>
    </message>
    <message>
        <source>its use in a later line, or output %1</source>
        <translation>die Verwendung in einer späteren Zeile, oder output %1</translation>
    </message>
    <message>
        <source>its use</source>
        <translation>seine Verwendung</translation>
    </message>
    <message>
        <source>a finite number</source>
        <translation>eine endliche Zahl</translation>
    </message>
    <message>
        <source>a number that is not negative, as in %1</source>
        <translation>eine Zahl, die nicht negativ ist, wie in %1</translation>
    </message>
    <message>
        <source>a number between %1 and %2</source>
        <translation>eine Zahl zwischen %1 und %2</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>a matrix of scores</source>
        <translation>eine Matrix</translation>
    </message>
    <message>
        <source>one matrix of scores</source>
        <translation>eine Matrix</translation>
    </message>
    <message>
        <source>one matrix</source>
        <translation>eine Matrix</translation>
    </message>
    <message>
        <source>a name of its own</source>
        <translation>ein eigener Name</translation>
    </message>
    <message>
        <source>one for each</source>
        <translation>je eines</translation>
    </message>
    <message>
        <source>one array for each parameter</source>
        <translation>ein Array je Parameter</translation>
    </message>
    <message>
        <source>functions of numbers</source>
        <translation>Funktionen von Zahlen</translation>
    </message>
    <message>
        <source>functions of one number</source>
        <translation>Funktionen einer Zahl</translation>
    </message>
    <message>
        <source>no named argument</source>
        <translation>kein benanntes Argument</translation>
    </message>
    <message>
        <source>the same order</source>
        <translation>dieselbe Ordnung</translation>
    </message>
    <message>
        <source>a name, a number, a function or &apos;(&apos;</source>
        <translation>ein Name, eine Zahl, eine Funktion oder &apos;(&apos;</translation>
    </message>
    <message>
        <source>a name, a number or a function</source>
        <translation>ein Name, eine Zahl oder eine Funktion</translation>
    </message>
    <message>
        <source>a name, a number or one of %1</source>
        <translation>ein Name, eine Zahl oder eines von %1</translation>
    </message>
    <message>
        <source>an operator, &apos;,&apos; or &apos;)&apos; for the &apos;(&apos; at %1</source>
        <translation>ein Operator, &apos;,&apos; oder &apos;)&apos; zur &apos;(&apos; bei %1</translation>
    </message>
    <message>
        <source>an operator or &apos;)&apos; for the &apos;(&apos; at %1</source>
        <translation>ein Operator oder &apos;)&apos; zur &apos;(&apos; bei %1</translation>
    </message>
    <message>
        <source>an operator or the end of the line</source>
        <translation>ein Operator oder das Ende der Zeile</translation>
    </message>
    <message>
        <source>an operator before the &apos;(&apos;</source>
        <translation>ein Operator vor der &apos;(&apos;</translation>
    </message>
    <message>
        <source>the name of a dimension, as in %1</source>
        <translation>der Name einer Dimension, wie in %1</translation>
    </message>
    <message>
        <source>the name of a dimension</source>
        <translation>der Name einer Dimension</translation>
    </message>
    <message>
        <source>the name of an input, as in %1</source>
        <translation>der Name einer Eingabe, wie in %1</translation>
    </message>
    <message>
        <source>the name of a mask, as in %1</source>
        <translation>der Name einer Maske, wie in %1</translation>
    </message>
    <message>
        <source>the name of an output, as in %1</source>
        <translation>der Name einer Ausgabe, wie in %1</translation>
    </message>
    <message>
        <source>the name of a batch dimension</source>
        <translation>der Name einer Batch-Dimension</translation>
    </message>
    <message>
        <source>the name of an array</source>
        <translation>der Name eines Arrays</translation>
    </message>
    <message>
        <source>the name of an argument</source>
        <translation>der Name eines Arguments</translation>
    </message>
    <message>
        <source>a statement: dim, batch, group, input, mask, output or NAME = expression</source>
        <translation>eine Anweisung: dim, batch, group, input, mask, output oder NAME = Ausdruck</translation>
    </message>
    <message>
        <source>%1 after %2 (a line starts with dim, batch, group, input, mask, output or with NAME =)</source>
        <translation>%1 nach %2 (eine Zeile beginnt mit dim, batch, group, input, mask, output oder mit NAME =)</translation>
    </message>
    <message>
        <source>%1 and the dimension&apos;s size, as in %2</source>
        <translation>%1 und die Größe der Dimension, wie in %2</translation>
    </message>
    <message>
        <source>the dimension&apos;s size in elements, a whole number from %1 to %2</source>
        <translation>die Größe der Dimension in Elementen, eine ganze Zahl von %1 bis %2</translation>
    </message>
    <message>
        <source>the dimension&apos;s size in elements, a whole number</source>
        <translation>die Größe der Dimension in Elementen, eine ganze Zahl</translation>
    </message>
    <message>
        <source>the block size in elements, a whole number from %1 to %2</source>
        <translation>die Blockgröße in Elementen, eine ganze Zahl von %1 bis %2</translation>
    </message>
    <message>
        <source>the block size in elements, a whole number</source>
        <translation>die Blockgröße in Elementen, eine ganze Zahl</translation>
    </message>
    <message>
        <source>at most the dimension&apos;s size, %1</source>
        <translation>höchstens die Größe der Dimension, %1</translation>
    </message>
    <message>
        <source>at most %1 dimensions</source>
        <translation>höchstens %1 Dimensionen</translation>
    </message>
    <message>
        <source>at most %1 arguments</source>
        <translation>höchstens %1 Argumente</translation>
    </message>
    <message>
        <source>at most %1 parameters</source>
        <translation>höchstens %1 Parameter</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>höchstens %1</translation>
    </message>
    <message>
        <source>%1 and the dimensions, as in %2</source>
        <translation>%1 und die Dimensionen, wie in %2</translation>
    </message>
    <message>
        <source>&apos;,&apos; or &apos;]&apos; after the dimension %1, for the &apos;[&apos; at %2</source>
        <translation>&apos;,&apos; oder &apos;]&apos; nach der Dimension %1, zur &apos;[&apos; bei %2</translation>
    </message>
    <message>
        <source>&apos;,&apos; and another input, &apos;:&apos; and an element type, or the end of the line</source>
        <translation>&apos;,&apos; und noch eine Eingabe, &apos;:&apos; und ein Elementtyp, oder das Ende der Zeile</translation>
    </message>
    <message>
        <source>&apos;,&apos; or &apos;:&apos; after the parameter %1, as in %2</source>
        <translation>&apos;,&apos; oder &apos;:&apos; nach dem Parameter %1, wie in %2</translation>
    </message>
    <message>
        <source>an element type: f32, f16, bf16, e4m3 or e5m2</source>
        <translation>ein Elementtyp: f32, f16, bf16, e4m3 oder e5m2</translation>
    </message>
    <message>
        <source>no block size (%1)</source>
        <translation>keine Blockgröße (%1)</translation>
    </message>
    <message>
        <source>batch and group dimensions first and only there, then at most two others</source>
        <translation>Batch- und Gruppendimensionen zuerst und nur dort, dann höchstens zwei andere</translation>
    </message>
    <message>
        <source>it among the batch dimensions (row_sum sums over the last axis)</source>
        <translation>sie unter den Batch-Dimensionen (row_sum summiert über die letzte Achse)</translation>
    </message>
    <message>
        <source>it once</source>
        <translation>einmal</translation>
    </message>
    <message>
        <source>each output once</source>
        <translation>jede Ausgabe einmal</translation>
    </message>
    <message>
        <source>two axes and no batch dimensions, as in %1 (a mask is shared by the whole batch)</source>
        <translation>zwei Achsen und keine Batch-Dimensionen, wie in %1 (eine Maske gilt für den ganzen Batch)</translation>
    </message>
    <message>
        <source>&apos;causal&apos;, the one kind of mask (any other is an input that is added)</source>
        <translation>&apos;causal&apos;, die einzige Art von Maske (jede andere ist eine Eingabe, die addiert wird)</translation>
    </message>
    <message>
        <source>an array that an earlier line defines, or a dimension</source>
        <translation>ein Array, das eine frühere Zeile definiert, oder eine Dimension</translation>
    </message>
    <message>
        <source>an array that an earlier line defines</source>
        <translation>ein Array, das eine frühere Zeile definiert</translation>
    </message>
    <message>
        <source>a dimension, as declared by dim, batch or group</source>
        <translation>eine Dimension, mit dim, batch oder group deklariert</translation>
    </message>
    <message>
        <source>a name that starts with a letter</source>
        <translation>ein Name, der mit einem Buchstaben beginnt</translation>
    </message>
    <message>
        <source>a name of letters, digits and _ that does not begin with a digit</source>
        <translation>ein Name aus Buchstaben, Ziffern und _, der nicht mit einer Ziffer beginnt</translation>
    </message>
    <message>
        <source>a letter or &apos;_&apos;, then letters, digits and &apos;_&apos;, 256 bytes at most</source>
        <translation>ein Buchstabe oder &apos;_&apos;, dann Buchstaben, Ziffern und &apos;_&apos;, höchstens 256 Byte</translation>
    </message>
    <message>
        <source>a letter or &apos;_&apos;, then letters, digits and &apos;_&apos;</source>
        <translation>ein Buchstabe oder &apos;_&apos;, dann Buchstaben, Ziffern und &apos;_&apos;</translation>
    </message>
    <message>
        <source>matrices on both sides (numbers multiply with *)</source>
        <translation>Matrizen auf beiden Seiten (Zahlen multiplizieren mit *)</translation>
    </message>
    <message>
        <source>the same dimension (transpose the right operand with .T)</source>
        <translation>dieselbe Dimension (den rechten Operanden mit .T transponieren)</translation>
    </message>
    <message>
        <source>the same dimension</source>
        <translation>dieselbe Dimension</translation>
    </message>
    <message>
        <source>a matrix (two axes after the batch dimensions)</source>
        <translation>eine Matrix (zwei Achsen nach den Batch-Dimensionen)</translation>
    </message>
    <message>
        <source>a vector (one axis after the batch dimensions)</source>
        <translation>ein Vektor (eine Achse nach den Batch-Dimensionen)</translation>
    </message>
    <message>
        <source>an elementwise operator</source>
        <translation>ein elementweiser Operator</translation>
    </message>
    <message>
        <source>equal axes (transpose one with .T)</source>
        <translation>gleiche Achsen (einen mit .T transponieren)</translation>
    </message>
    <message>
        <source>equal axes (outer(c, d) makes a matrix of two vectors)</source>
        <translation>gleiche Achsen (outer(c, d) macht aus zwei Vektoren eine Matrix)</translation>
    </message>
    <message>
        <source>equal axes</source>
        <translation>gleiche Achsen</translation>
    </message>
    <message>
        <source>%1 there too, or its declaration as a group dimension (%2)</source>
        <translation>%1 auch dort, oder die Deklaration als Gruppendimension (%2)</translation>
    </message>
    <message>
        <source>one element type, as with %1</source>
        <translation>ein Elementtyp, etwa mit %1</translation>
    </message>
    <message>
        <source>a vector along the last axis %1</source>
        <translation>ein Vektor entlang der letzten Achse %1</translation>
    </message>
    <message>
        <source>a vector along %1 under column(...)</source>
        <translation>ein Vektor entlang %1 in column(...)</translation>
    </message>
    <message>
        <source>a vector along %1 or %2</source>
        <translation>ein Vektor entlang %1 oder %2</translation>
    </message>
    <message>
        <source>a vector along %1</source>
        <translation>ein Vektor entlang %1</translation>
    </message>
    <message>
        <source>a vector</source>
        <translation>ein Vektor</translation>
    </message>
    <message>
        <source>weights shared by the whole batch</source>
        <translation>Gewichte, die für den ganzen Batch gelten</translation>
    </message>
    <message>
        <source>an expression with an array (write numbers where they are used)</source>
        <translation>ein Ausdruck mit einem Array (Zahlen stehen, wo sie verwendet werden)</translation>
    </message>
    <message>
        <source>at least one, as in %1</source>
        <translation>mindestens eine, wie in %1</translation>
    </message>
    <message>
        <source>at least one</source>
        <translation>mindestens eine</translation>
    </message>
    <message>
        <source>two vectors, as in %1</source>
        <translation>zwei Vektoren, wie in %1</translation>
    </message>
    <message>
        <source>one vector, as in %1</source>
        <translation>ein Vektor, wie in %1</translation>
    </message>
    <message>
        <source>an array and one of its batch dimensions, as in %1</source>
        <translation>ein Array und eine seiner Batch-Dimensionen, wie in %1</translation>
    </message>
    <message>
        <source>an array and an element type, as in %1</source>
        <translation>ein Array und ein Elementtyp, wie in %1</translation>
    </message>
    <message>
        <source>two arrays, or an array and a number, each once</source>
        <translation>zwei Arrays, oder ein Array und eine Zahl, je einmal</translation>
    </message>
    <message>
        <source>two arrays, or an array and a number</source>
        <translation>zwei Arrays, oder ein Array und eine Zahl</translation>
    </message>
    <message>
        <source>one array and %1, each once</source>
        <translation>ein Array und %1, je einmal</translation>
    </message>
    <message>
        <source>one array, each once</source>
        <translation>ein Array, je einmal</translation>
    </message>
    <message>
        <source>one array</source>
        <translation>ein Array</translation>
    </message>
    <message>
        <source>an array of %1 to %2</source>
        <translation>ein Array mit %1 bis %2</translation>
    </message>
    <message>
        <source>an array of %1</source>
        <translation>ein Array mit %1</translation>
    </message>
    <message>
        <source>an array</source>
        <translation>ein Array</translation>
    </message>
    <message>
        <source>a function, or %1</source>
        <translation>eine Funktion, oder %1</translation>
    </message>
    <message>
        <source>one of them, the paper&apos;s form has no epsilon</source>
        <translation>eines davon, die Form des Aufsatzes hat kein Epsilon</translation>
    </message>
    <message>
        <source>one of the %1 operands</source>
        <translation>einer der %1 Operanden</translation>
    </message>
    <message>
        <source>no further argument without a name after %1</source>
        <translation>kein weiteres Argument ohne Namen nach %1</translation>
    </message>
    <message>
        <source>%1, the shape of the expression</source>
        <translation>%1, die Form des Ausdrucks</translation>
    </message>
    <message>
        <source>%1, the type of the expression (or %2)</source>
        <translation>%1, der Typ des Ausdrucks (oder %2)</translation>
    </message>
    <message>
        <source>%1 on the same line</source>
        <translation>%1 in derselben Zeile</translation>
    </message>
    <message>
        <source>&apos;T&apos; after the dot, the transpose, as in K.T</source>
        <translation>&apos;T&apos; nach dem Punkt, die Transponierte, wie in K.T</translation>
    </message>
    <message>
        <source>it beside a matrix and one of + - * /</source>
        <translation>neben einer Matrix und einem von + - * /</translation>
    </message>
    <message>
        <source>its parameters, dimensions and numbers</source>
        <translation>seine Parameter, Dimensionen und Zahlen</translation>
    </message>
    <message>
        <source>digits, as in 128, 0.5 or 1e-6</source>
        <translation>Ziffern, wie in 128, 0.5 oder 1e-6</translation>
    </message>
    <message>
        <source>a UTF-8 text file</source>
        <translation>eine Textdatei in UTF-8</translation>
    </message>
    <message>
        <source>one line of UTF-8</source>
        <translation>eine Zeile in UTF-8</translation>
    </message>
    <message>
        <source>a flatter one (name a part of it in a statement of its own)</source>
        <translation>ein flacherer (einem Teil davon in einer eigenen Anweisung einen Namen geben)</translation>
    </message>
    <message>
        <source>%1 to its size, %2</source>
        <translation>%1 bis zu ihrer Größe, %2</translation>
    </message>
    <message>
        <source>&apos;= causal&apos;, as in mask C[M, N] = causal</source>
        <translation>&apos;= causal&apos;, wie in mask C[M, N] = causal</translation>
    </message>
    <message>
        <source>a parameter, as in %1</source>
        <translation>ein Parameter, wie in %1</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>eine Zeichenkette</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true oder false</translation>
    </message>
    <message>
        <source>a whole number from %1 to %2</source>
        <translation>eine ganze Zahl von %1 bis %2</translation>
    </message>
    <message>
        <source>%1 beside %2</source>
        <translation>%1 neben %2</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>one</source>
        <translation>einer</translation>
    </message>
    <message>
        <source>matrix</source>
        <translation>Matrix</translation>
    </message>
    <message>
        <source>vector</source>
        <translation>Vektor</translation>
    </message>
    <message>
        <source>special</source>
        <translation>Sonderfunktionen</translation>
    </message>
    <message>
        <source>moves</source>
        <translation>Kopien</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>packing</source>
        <translation>Umordnen</translation>
    </message>
    <message>
        <source>fill</source>
        <translation>Anlauf</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>lokaler Speicher</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>check</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>warm</source>
        <translation>warm</translation>
    </message>
    <message>
        <source>cold</source>
        <translation>kalt</translation>
    </message>
    <message>
        <source>compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>caches</source>
        <translation>Caches</translation>
    </message>
    <message>
        <source>multiply-add</source>
        <translation>Multiplizieren und Addieren</translation>
    </message>
    <message>
        <source>exp</source>
        <translation>exp</translation>
    </message>
    <message>
        <source>block products</source>
        <translation>Blockprodukte</translation>
    </message>
    <message>
        <source>passes</source>
        <translation>Durchläufe</translation>
    </message>
    <message>
        <source>parallel regions</source>
        <translation>parallele Abschnitte</translation>
    </message>
    <message>
        <source>programs</source>
        <translation>Programme</translation>
    </message>
    <message>
        <source>A stand-in runs for its custom operator, one number after the other</source>
        <translation>Für seinen eigenen Operator läuft ein Ersatz, eine Zahl nach der anderen</translation>
    </message>
    <message>
        <source>its time means nothing</source>
        <translation>seine Zeit besagt nichts</translation>
    </message>
    <message>
        <source>It holds a miscellaneous operator, of which only the transfers are counted</source>
        <translation>Er enthält einen sonstigen Operator, von dem nur die Übertragungen gezählt werden</translation>
    </message>
    <message>
        <source>Block products take longest</source>
        <translation>Blockprodukte dauern am längsten</translation>
    </message>
    <message>
        <source>Elementwise operations and sums take longest</source>
        <translation>Elementweise Operationen und Summen dauern am längsten</translation>
    </message>
    <message>
        <source>exp and its like take longest</source>
        <translation>exp und Ähnliches dauert am längsten</translation>
    </message>
    <message>
        <source>Copying and transposing blocks takes longest</source>
        <translation>Das Kopieren und Transponieren von Blöcken dauert am längsten</translation>
    </message>
    <message>
        <source>Calling kernels on small blocks takes longest</source>
        <translation>Das Aufrufen von Kerneln auf kleinen Blöcken dauert am längsten</translation>
    </message>
    <message>
        <source>Starting and joining the workers takes longest</source>
        <translation>Das Starten und Einsammeln der Threads dauert am längsten</translation>
    </message>
    <message>
        <source>Handing out tasks takes longest</source>
        <translation>Das Verteilen der Aufgaben dauert am längsten</translation>
    </message>
    <message>
        <source>Cores without a task take longest</source>
        <translation>Kerne ohne Aufgabe kosten am meisten</translation>
    </message>
    <message>
        <source>%1 from and to memory take longest</source>
        <translation>%1 vom und zum Speicher dauern am längsten</translation>
    </message>
    <message>
        <source>Traffic with the %1 cache takes longest</source>
        <translation>Der Verkehr mit dem %1-Cache dauert am längsten</translation>
    </message>
    <message>
        <source>%1 of %2 cores have a task</source>
        <translation>%1 von %2 Kernen haben eine Aufgabe</translation>
    </message>
    <message>
        <source>%1 tasks do not spread evenly over %2 cores</source>
        <translation>%1 Aufgaben verteilen sich nicht gleichmäßig auf %2 Kerne</translation>
    </message>
    <message>
        <source>Inputs are brought into the layout of their readers: %1</source>
        <translation>Eingaben werden in die Anordnung ihrer Leser gebracht: %1</translation>
    </message>
    <message>
        <source>Launching takes longer than the work</source>
        <translation>Das Starten dauert länger als die Arbeit</translation>
    </message>
    <message>
        <source>Waiting for the first operands takes longest</source>
        <translation>Das Warten auf die ersten Operanden dauert am längsten</translation>
    </message>
    <message>
        <source>%1 from memory take longest</source>
        <translation>%1 aus dem Speicher dauern am längsten</translation>
    </message>
    <message>
        <source>%1 from the L2 cache take longest</source>
        <translation>%1 aus dem L2-Cache dauern am längsten</translation>
    </message>
    <message>
        <source>Local memory cannot feed the matrix unit fast enough</source>
        <translation>Der lokale Speicher kann die Matrixeinheit nicht schnell genug versorgen</translation>
    </message>
    <message>
        <source>The %1 unit is busy longest</source>
        <translation>Die Einheit %1 ist am längsten beschäftigt</translation>
    </message>
    <message>
        <source>only %1 of %2 processors have a task</source>
        <translation>nur %1 von %2 Prozessoren haben eine Aufgabe</translation>
    </message>
    <message>
        <source>the last wave is not full</source>
        <translation>die letzte Welle ist nicht voll</translation>
    </message>
    <message>
        <source>%1 alive in one task do not fit its local memory (%2)</source>
        <translation>%1, die in einer Aufgabe leben, passen nicht in ihren lokalen Speicher (%2)</translation>
    </message>
    <message>
        <source>%1 at %2 take longer than the operations</source>
        <translation>%1 bei %2 dauern länger als die Operationen</translation>
    </message>
    <message>
        <source>The %1 unit&apos;s operations take longer than %2 at %3</source>
        <translation>Die Operationen der Einheit %1 dauern länger als %2 bei %3</translation>
    </message>
    <message>
        <source>Idle processors take most of it</source>
        <translation>Das meiste kosten untätige Prozessoren</translation>
    </message>
    <message>
        <source>The %1 term is the largest</source>
        <translation>Der Anteil %1 ist der größte</translation>
    </message>
    <message>
        <source>%1 thread blocks make it %2 times as long</source>
        <translation>%1 Thread-Blöcke machen es %2-mal so lang</translation>
    </message>
    <message>
        <source>%1 thread block makes it %2 times as long</source>
        <translation>%1 Thread-Block macht es %2-mal so lang</translation>
    </message>
    <message>
        <source>The launch alone is the largest part: fusing it into a neighbour saves it</source>
        <translation>Der Start allein ist der größte Teil: Wer den Kernel mit einem Nachbarn fusioniert, spart ihn</translation>
    </message>
    <message>
        <source>Memory is the largest part: fusing saves what is stored and loaded again</source>
        <translation>Der Speicher ist der größte Teil: Fusionieren spart, was gespeichert und wieder geladen wird</translation>
    </message>
    <message>
        <source>Computing is the largest part, which fusion leaves as it is</source>
        <translation>Das Rechnen ist der größte Teil; daran ändert Fusion nichts</translation>
    </message>
    <message>
        <source>Nothing runs</source>
        <translation>Nichts läuft</translation>
    </message>
    <message>
        <source>%1, %2% of it in kernels that %3 binds</source>
        <translation>%1, davon %2% in Kerneln, die %3 begrenzt</translation>
    </message>
    <message>
        <source>%1 cannot be grouped: %2 (%3)</source>
        <translation>%1 kann nicht gruppiert werden: %2 (%3)</translation>
    </message>
    <message>
        <source>%1 cannot be streamed: %2 (%3)</source>
        <translation>%1 kann nicht strömen: %2 (%3)</translation>
    </message>
    <message>
        <source>found a partition of an axis that no array has</source>
        <translation>gefunden: eine Teilung einer Achse, die kein Feld hat</translation>
    </message>
    <message>
        <source>found parts of %1 of %2; expected 1 to %3</source>
        <translation>gefunden: Teile von %1 der Achse %2; erwartet: 1 bis %3</translation>
    </message>
    <message>
        <source>found two partitions of %1</source>
        <translation>gefunden: zwei Teilungen von %1</translation>
    </message>
    <message>
        <source>found streams of %1 and %2, which share only some of their operators; expected one inside the other</source>
        <translation>gefunden: Ströme von %1 und %2, die nur einige ihrer Operatoren gemeinsam haben; erwartet: einer im anderen</translation>
    </message>
    <message>
        <source>found the name &apos;%1&apos;; expected one without blanks and operators</source>
        <translation>gefunden: der Name &apos;%1&apos;; erwartet: einer ohne Leerzeichen und Rechenzeichen</translation>
    </message>
    <message>
        <source>there is an axis %1 already</source>
        <translation>eine Achse %1 gibt es schon</translation>
    </message>
    <message>
        <source>there is no such axis</source>
        <translation>diese Achse gibt es nicht</translation>
    </message>
    <message>
        <source>%1 is not split</source>
        <translation>%1 ist nicht geteilt</translation>
    </message>
    <message>
        <source>Every operator that has %1 is weaved over it: its parts are computed apart and joined.</source>
        <translation>Jeder Operator, der %1 hat, ist darüber gewoben: Seine Teile werden für sich berechnet und zusammengefügt.</translation>
    </message>
    <message>
        <source>Two axes of %1 are %2: each part would need all the others.</source>
        <translation>Zwei Achsen von %1 sind %2: Jeder Teil bräuchte alle anderen.</translation>
    </message>
    <message>
        <source>The output %1 does not have %2, so that the groups&apos; results could not be joined.</source>
        <translation>Die Ausgabe %1 hat %2 nicht, so dass die Ergebnisse der Gruppen nicht zusammengefügt werden könnten.</translation>
    </message>
    <message>
        <source>No output has %1.</source>
        <translation>Keine Ausgabe hat %1.</translation>
    </message>
    <message>
        <source>The output %1 has %2: what an accumulator maintains would grow with it.</source>
        <translation>Die Ausgabe %1 hat %2: Was ein Akkumulator behält, würde damit wachsen.</translation>
    </message>
    <message>
        <source>%1 is known only after all of %2, and the output %3 has %4: what an accumulator maintains would grow with it. Followed by a contraction along %5, it could be streamed.</source>
        <translation>%1 ist erst nach ganz %2 bekannt, und die Ausgabe %3 hat %4: Was ein Akkumulator behält, würde damit wachsen. Gefolgt von einer Kontraktion entlang %5 könnte es strömen.</translation>
    </message>
    <message>
        <source>%1 does not come in by a transfer.</source>
        <translation>%1 kommt nicht durch einen Transfer herein.</translation>
    </message>
    <message>
        <source>Two axes of %1 are %2.</source>
        <translation>Zwei Achsen von %1 sind %2.</translation>
    </message>
    <message>
        <source>No operator accumulates along %1.</source>
        <translation>Kein Operator akkumuliert entlang %1.</translation>
    </message>
    <message>
        <source>%1 has no accumulator that is known.</source>
        <translation>%1 hat keinen bekannten Akkumulator.</translation>
    </message>
    <message>
        <source>Contraction along %1 has an accumulator: the sum over the first part plus the sum over the rest.</source>
        <translation>Die Kontraktion entlang %1 hat einen Akkumulator: die Summe über den ersten Teil plus die Summe über den Rest.</translation>
    </message>
    <message>
        <source>A maximum along %1 is the larger of the parts&apos; maxima.</source>
        <translation>Ein Maximum entlang %1 ist das größere der Maxima der Teile.</translation>
    </message>
    <message>
        <source>A sum along %1 is the sum of the parts&apos; sums.</source>
        <translation>Eine Summe entlang %1 ist die Summe der Summen der Teile.</translation>
    </message>
    <message>
        <source>SoftMax followed by %1 along %2 is streamable: a running maximum and sum are kept, the result so far is scaled when the maximum moves, and the division by the sum is its tail.</source>
        <translation>SoftMax und danach %1 entlang %2 können strömen: Maximum und Summe werden mitgeführt, das bisherige Ergebnis wird skaliert, wenn sich das Maximum ändert, und die Division durch die Summe ist der Schluss.</translation>
    </message>
    <message>
        <source>RMSNorm followed by %1 along %2 is streamable: the sum of squares is kept, and the division, one number per row, is the tail of a linear operator.</source>
        <translation>RMSNorm und danach %1 entlang %2 können strömen: Die Summe der Quadrate wird mitgeführt, und die Division, eine Zahl je Zeile, ist der Schluss eines linearen Operators.</translation>
    </message>
    <message>
        <source>LayerNorm followed by %1 along %2 is streamable: sums of values and squares are kept; shift and division, one number each per row, are the tail of a linear operator.</source>
        <translation>LayerNorm und danach %1 entlang %2 können strömen: Summen der Werte und Quadrate werden mitgeführt; Verschiebung und Division, je eine Zahl je Zeile, sind der Schluss eines linearen Operators.</translation>
    </message>
    <message>
        <source>%1 is known only after all of %2, and %3 is not linear in it, so that the scaling cannot wait for the tail.</source>
        <translation>%1 ist erst nach ganz %2 bekannt, und %3 ist darin nicht linear, so dass die Skalierung nicht bis zum Schluss warten kann.</translation>
    </message>
    <message>
        <source>%1 ends in no contraction.</source>
        <translation>%1 endet in keiner Kontraktion.</translation>
    </message>
    <message>
        <source>%1 needs %2, finished over all of %3, for every part of %4.</source>
        <translation>%1 braucht %2, fertig über ganz %3, für jeden Teil von %4.</translation>
    </message>
    <message>
        <source>%1 is weaved over %2: composing with it keeps the axis, so the whole stays streamable.</source>
        <translation>%1 ist über %2 gewoben: Die Komposition damit behält die Achse, also kann das Ganze weiter strömen.</translation>
    </message>
    <message>
        <source>Weaving over %1 keeps the axis: the weaved accumulator accumulates the weaved function (Figure 40).</source>
        <translation>Weben über %1 behält die Achse: Der gewobene Akkumulator akkumuliert die gewobene Funktion (Abbildung 40).</translation>
    </message>
    <message>
        <source>%1 does not have %2: it is fused before or after the stream.</source>
        <translation>%1 hat %2 nicht: Es wird vor oder nach dem Strom fusioniert.</translation>
    </message>
    <message>
        <source>%1 acts along %2.</source>
        <translation>%1 wirkt entlang %2.</translation>
    </message>
    <message>
        <source>Appendix %1, by the same argument</source>
        <translation>Anhang %1, mit demselben Argument</translation>
    </message>
    <message>
        <source>Appendix %1</source>
        <translation>Anhang %1</translation>
    </message>
    <message>
        <source>Section %1</source>
        <translation>Abschnitt %1</translation>
    </message>
    <message>
        <source>Theorem 1, composition</source>
        <translation>Satz 1, Komposition</translation>
    </message>
    <message>
        <source>Theorem 1, weaving</source>
        <translation>Satz 1, Weben</translation>
    </message>
    <message>
        <source>Figure 38, head and tail</source>
        <translation>Abbildung 38, Kopf und Schluss</translation>
    </message>
    <message>
        <source>%1 that makes %2</source>
        <translation>%1 für %2</translation>
    </message>
    <message>
        <source>the elementwise %1</source>
        <translation>das elementweise %1</translation>
    </message>
    <message>
        <source>The elementwise %1</source>
        <translation>Das elementweise %1</translation>
    </message>
    <message>
        <source>the operator %1</source>
        <translation>der Operator %1</translation>
    </message>
    <message>
        <source>The operator %1</source>
        <translation>Der Operator %1</translation>
    </message>
    <message>
        <source>the contraction</source>
        <translation>die Kontraktion</translation>
    </message>
    <message>
        <source>The contraction</source>
        <translation>Die Kontraktion</translation>
    </message>
    <message>
        <source>the sum</source>
        <translation>die Summe</translation>
    </message>
    <message>
        <source>The sum</source>
        <translation>Die Summe</translation>
    </message>
    <message>
        <source>the mean</source>
        <translation>der Mittelwert</translation>
    </message>
    <message>
        <source>The mean</source>
        <translation>Der Mittelwert</translation>
    </message>
    <message>
        <source>the max</source>
        <translation>das Maximum</translation>
    </message>
    <message>
        <source>The max</source>
        <translation>Das Maximum</translation>
    </message>
    <message>
        <source>the softmax</source>
        <translation>Softmax</translation>
    </message>
    <message>
        <source>The softmax</source>
        <translation>Softmax</translation>
    </message>
    <message>
        <source>the rmsnorm</source>
        <translation>RMSNorm</translation>
    </message>
    <message>
        <source>The rmsnorm</source>
        <translation>RMSNorm</translation>
    </message>
    <message>
        <source>the layernorm</source>
        <translation>LayerNorm</translation>
    </message>
    <message>
        <source>The layernorm</source>
        <translation>LayerNorm</translation>
    </message>
    <message>
        <source>the mask</source>
        <translation>die Maske</translation>
    </message>
    <message>
        <source>The mask</source>
        <translation>Die Maske</translation>
    </message>
    <message>
        <source>the cast</source>
        <translation>die Umwandlung</translation>
    </message>
    <message>
        <source>The cast</source>
        <translation>Die Umwandlung</translation>
    </message>
    <message>
        <source>the reindex</source>
        <translation>die Umordnung</translation>
    </message>
    <message>
        <source>The reindex</source>
        <translation>Die Umordnung</translation>
    </message>
    <message>
        <source>a result</source>
        <translation>ein Ergebnis</translation>
    </message>
    <message>
        <source>%1 has no shared memory or no registers; expected a GPU</source>
        <translation>%1 hat keinen gemeinsamen Speicher oder keine Register; erwartet: eine GPU</translation>
    </message>
    <message>
        <source>%1 has no rate for %2</source>
        <translation>%1 hat keine Rate für %2</translation>
    </message>
    <message>
        <source>no axis can be grouped</source>
        <translation>keine Achse kann gruppiert werden</translation>
    </message>
    <message>
        <source>no axis can be streamed</source>
        <translation>keine Achse kann strömen</translation>
    </message>
    <message>
        <source>found no axis to stream</source>
        <translation>keine Achse gefunden, die strömen kann</translation>
    </message>
    <message>
        <source>there is no variable %1 in the configuration</source>
        <translation>es gibt keine Variable %1 in der Konfiguration</translation>
    </message>
    <message>
        <source>there is no axis %1; there are %2</source>
        <translation>es gibt keine Achse %1; es gibt %2</translation>
    </message>
    <message>
        <source>%1 cannot be grouped: %2</source>
        <translation>%1 kann nicht gruppiert werden: %2</translation>
    </message>
    <message>
        <source>%1 cannot be streamed: %2</source>
        <translation>%1 kann nicht strömen: %2</translation>
    </message>
    <message>
        <source>%1 = %2 does not divide by %3 (%4).</source>
        <translation>%1 = %2 ist nicht durch %3 teilbar (%4).</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>a warpgroup has %1 threads</source>
        <translation>eine Warpgruppe hat %1 Threads</translation>
    </message>
    <message>
        <source>coalesced transfer of %1</source>
        <translation>zusammengefasster Transfer von %1</translation>
    </message>
    <message>
        <source>load %1</source>
        <translation>lade %1</translation>
    </message>
    <message>
        <source>save %1</source>
        <translation>speichere %1</translation>
    </message>
    <message>
        <source>initialise %1</source>
        <translation>initialisiere %1</translation>
    </message>
    <message>
        <source>scale by %1</source>
        <translation>skaliere mit %1</translation>
    </message>
    <message>
        <source>scale and add to %1</source>
        <translation>skaliere und addiere zu %1</translation>
    </message>
    <message>
        <source>scale %1 and add %2</source>
        <translation>skaliere %1 und addiere %2</translation>
    </message>
    <message>
        <source>%1 to tensor cores, through shared memory</source>
        <translation>%1 zu den Tensorkernen, durch den gemeinsamen Speicher</translation>
    </message>
    <message>
        <source>%1 to threads, through shared memory</source>
        <translation>%1 zu den Threads, durch den gemeinsamen Speicher</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>operand</source>
        <translation>Operand</translation>
    </message>
    <message>
        <source>accumulator</source>
        <translation>Akkumulator</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>threads, part</source>
        <translation>Threads, Teil</translation>
    </message>
    <message>
        <source>shared copy</source>
        <translation>gemeinsame Kopie</translation>
    </message>
    <message>
        <source>shared copy, part</source>
        <translation>gemeinsame Kopie, Teil</translation>
    </message>
    <message>
        <source>tensor cores</source>
        <translation>Tensorkerne</translation>
    </message>
    <message>
        <source>tensor cores, part</source>
        <translation>Tensorkerne, Teil</translation>
    </message>
    <message>
        <source>launches</source>
        <translation>Starts</translation>
    </message>
    <message>
        <source>choosing block sizes</source>
        <translation>Blockgrößen werden gewählt</translation>
    </message>
    <message>
        <source>generating kernels</source>
        <translation>Kernel werden erzeugt</translation>
    </message>
    <message>
        <source>compiling kernels</source>
        <translation>Kernel werden übersetzt</translation>
    </message>
    <message>
        <source>combine</source>
        <translation>zusammenfügen</translation>
    </message>
    <message>
        <source>reductions are in %1 parts</source>
        <translation>Reduktionen sind in %1 Teilen</translation>
    </message>
    <message>
        <source>Putting the parts of its reductions together takes longest</source>
        <translation>Die Teile seiner Reduktionen zusammenzufügen, dauert am längsten</translation>
    </message>
    <message>
        <source>the name of an axis has at most %1 bytes</source>
        <translation>der Name einer Achse hat höchstens %1 Bytes</translation>
    </message>
    <message>
        <source>a circuit has at most %1 states</source>
        <translation>ein Schaltbild hat höchstens %1 Zustände</translation>
    </message>
    <message>
        <source>%1 is grouped in parts of %2 already</source>
        <translation>%1 ist schon in Teilen von %2 gruppiert</translation>
    </message>
    <message>
        <source>%1 is streamed in parts of %2 already</source>
        <translation>%1 strömt schon in Teilen von %2</translation>
    </message>
    <message>
        <source>found %1 operators; expected at most %2 in one algorithm</source>
        <translation>Gefunden: %1 Operatoren; erwartet: höchstens %2 in einem Algorithmus</translation>
    </message>
    <message>
        <source>atomics</source>
        <translation>Atomics</translation>
    </message>
    <message>
        <source>Adding the parts of its reductions up takes longest</source>
        <translation>Das Aufaddieren der Teile seiner Reduktionen dauert am längsten</translation>
    </message>
    <message>
        <source>%1 The worker was lost %2 times in a row; nothing more is tried.</source>
        <translation>%1 Der Arbeitsprozess ging %2-mal hintereinander verloren; es wird nichts mehr versucht.</translation>
    </message>
    <message>
        <source>%1 The worker cannot be ended; the device does not respond.</source>
        <translation>%1 Der Arbeitsprozess lässt sich nicht beenden; das Gerät antwortet nicht.</translation>
    </message>
    <message>
        <source>The worker was lost %1 times in a row; nothing more is tried.</source>
        <translation>Der Arbeitsprozess ging %1-mal hintereinander verloren; es wird nichts mehr versucht.</translation>
    </message>
    <message>
        <source>The worker cannot be ended; the device does not respond.</source>
        <translation>Der Arbeitsprozess lässt sich nicht beenden; das Gerät antwortet nicht.</translation>
    </message>
    <message>
        <source>The worker ended while %1. It %2.</source>
        <translation>Der Arbeitsprozess endete %1. Er %2.</translation>
    </message>
    <message>
        <source>The worker ended while %1.</source>
        <translation>Der Arbeitsprozess endete %1.</translation>
    </message>
    <message>
        <source>The worker cannot be started: %1.</source>
        <translation>Der Arbeitsprozess lässt sich nicht starten: %1.</translation>
    </message>
    <message>
        <source>The worker speaks another version of the protocol. It %1.</source>
        <translation>Der Arbeitsprozess spricht eine andere Fassung des Protokolls. Er %1.</translation>
    </message>
    <message>
        <source>The worker speaks another version of the protocol.</source>
        <translation>Der Arbeitsprozess spricht eine andere Fassung des Protokolls.</translation>
    </message>
    <message>
        <source>The worker wrote a message without an end. It %1.</source>
        <translation>Der Arbeitsprozess schrieb eine Nachricht ohne Ende. Er %1.</translation>
    </message>
    <message>
        <source>The worker wrote something that is no message. It %1.</source>
        <translation>Der Arbeitsprozess schrieb etwas, das keine Nachricht ist. Er %1.</translation>
    </message>
    <message>
        <source>The worker gave an answer to another question. It %1.</source>
        <translation>Der Arbeitsprozess antwortete auf eine andere Frage. Er %1.</translation>
    </message>
    <message>
        <source>The worker was lost between two programs of a comparison.</source>
        <translation>Der Arbeitsprozess ging zwischen zwei Programmen eines Vergleichs verloren.</translation>
    </message>
    <message>
        <source>The time limit of %1 for %2 was exceeded; the worker was ended.</source>
        <translation>Die Zeitgrenze von %1 wurde %2 überschritten; der Arbeitsprozess wurde beendet.</translation>
    </message>
    <message>
        <source>The time limit of %1 for %2 was exceeded: the worker does not listen, and was ended.</source>
        <translation>Die Zeitgrenze von %1 wurde %2 überschritten: Der Arbeitsprozess hört nicht zu und wurde beendet.</translation>
    </message>
    <message>
        <source>The measurement was cancelled.</source>
        <translation>Die Messung wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The calibration was cancelled.</source>
        <translation>Die Kalibrierung wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The result differs from the reference: element %1 of %2 is %3 and should be %4; the largest difference is %5 of the largest value, and %6 is allowed.</source>
        <translation>Das Ergebnis weicht von der Referenz ab: Element %1 von %2 ist %3 und müsste %4 sein; die größte Abweichung beträgt %5 des größten Werts, erlaubt sind %6.</translation>
    </message>
    <message>
        <source>The machine has not enough memory for this program.</source>
        <translation>Der Rechner hat nicht genug Speicher für dieses Programm.</translation>
    </message>
    <message>
        <source>Internal error of the worker, please report it.</source>
        <translation>Interner Fehler des Arbeitsprozesses, bitte melden.</translation>
    </message>
    <message>
        <source>There is no device &apos;%1&apos; here; there is %2.</source>
        <translation>Hier gibt es kein Gerät „%1“; es gibt %2.</translation>
    </message>
    <message>
        <source>There is no target &apos;%1&apos;.</source>
        <translation>Es gibt kein Ziel „%1“.</translation>
    </message>
    <message>
        <source>The processor takes inputs in f32 or bf16.</source>
        <translation>Der Prozessor nimmt Eingaben in f32 oder bf16.</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s run-time compiler is not there.</source>
        <translation>NVIDIAs Laufzeit-Compiler ist nicht da.</translation>
    </message>
    <message>
        <source>The kernels do not compile for %1.</source>
        <translation>Die Kernel lassen sich nicht für %1 übersetzen.</translation>
    </message>
    <message>
        <source>The card failed while %1: %2.</source>
        <translation>Die Karte versagte, als %1: %2.</translation>
    </message>
    <message>
        <source>The kernel %1 has %2 thread blocks; a launch has 2147483647 at most. Choose larger blocks.</source>
        <translation>Der Kernel %1 hat %2 Thread-Blöcke; ein Start hat höchstens 2147483647. Größere Blöcke helfen.</translation>
    </message>
    <message>
        <source>The driver knows no tensor maps, which kernels for sm_90a need; it is older than CUDA 12.</source>
        <translation>Der Treiber kennt keine Tensor-Maps, die Kernel für sm_90a brauchen; er ist älter als CUDA 12.</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>beim Start</translation>
    </message>
    <message>
        <source>preparing the program</source>
        <translation>beim Vorbereiten des Programms</translation>
    </message>
    <message>
        <source>checking the result</source>
        <translation>beim Prüfen des Ergebnisses</translation>
    </message>
    <message>
        <source>timing the program</source>
        <translation>bei der Zeitmessung</translation>
    </message>
    <message>
        <source>comparing two programs</source>
        <translation>beim Vergleich zweier Programme</translation>
    </message>
    <message>
        <source>calibrating the device</source>
        <translation>beim Kalibrieren des Geräts</translation>
    </message>
    <message>
        <source>compiling</source>
        <translation>beim Übersetzen</translation>
    </message>
    <message>
        <source>releasing a program</source>
        <translation>beim Freigeben eines Programms</translation>
    </message>
    <message>
        <source>was ended by signal %1 (%2)</source>
        <translation>wurde von Signal %1 beendet (%2)</translation>
    </message>
    <message>
        <source>exited with code %1</source>
        <translation>endete mit Code %1</translation>
    </message>
    <message>
        <source>does not end even when killed</source>
        <translation>endet nicht einmal, wenn er abgeschossen wird</translation>
    </message>
    <message>
        <source>it was chosen</source>
        <translation>sie gewählt wurde</translation>
    </message>
    <message>
        <source>its context was made</source>
        <translation>ihr Kontext angelegt wurde</translation>
    </message>
    <message>
        <source>its context was taken</source>
        <translation>ihr Kontext genommen wurde</translation>
    </message>
    <message>
        <source>a stream was made</source>
        <translation>ein Stream angelegt wurde</translation>
    </message>
    <message>
        <source>an event was made</source>
        <translation>ein Ereignis angelegt wurde</translation>
    </message>
    <message>
        <source>an event was recorded</source>
        <translation>ein Ereignis aufgezeichnet wurde</translation>
    </message>
    <message>
        <source>kernels ran</source>
        <translation>Kernel liefen</translation>
    </message>
    <message>
        <source>time was taken</source>
        <translation>die Zeit genommen wurde</translation>
    </message>
    <message>
        <source>%1 bytes were allocated</source>
        <translation>%1 Bytes belegt wurden</translation>
    </message>
    <message>
        <source>inputs were copied to it</source>
        <translation>Eingaben dorthin kopiert wurden</translation>
    </message>
    <message>
        <source>results were copied from it</source>
        <translation>Ergebnisse von dort kopiert wurden</translation>
    </message>
    <message>
        <source>memory was filled</source>
        <translation>Speicher gefüllt wurde</translation>
    </message>
    <message>
        <source>outputs were filled</source>
        <translation>Ausgaben gefüllt wurden</translation>
    </message>
    <message>
        <source>caches were flushed</source>
        <translation>Caches geleert wurden</translation>
    </message>
    <message>
        <source>the compiled kernels were loaded</source>
        <translation>die übersetzten Kernel geladen wurden</translation>
    </message>
    <message>
        <source>the kernel %1 was looked up</source>
        <translation>der Kernel %1 gesucht wurde</translation>
    </message>
    <message>
        <source>the kernel %1 was started</source>
        <translation>der Kernel %1 gestartet wurde</translation>
    </message>
    <message>
        <source>%1 bytes of shared memory for %2 were asked for</source>
        <translation>%1 Bytes gemeinsamer Speicher für %2 verlangt wurden</translation>
    </message>
    <message>
        <source>operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>Processors without a task take longest</source>
        <translation>Prozessoren ohne Aufgabe kosten am meisten</translation>
    </message>
    <message>
        <source>t = max(bytes / W, matrix / P_m, vector / P_v, special / P_s)</source>
        <translation>t = max(Bytes / W, Matrix / P_m, Vektor / P_v, Sonderfunktionen / P_s)</translation>
    </message>
    <message>
        <source>t = (t_mem + t_comp) · α,  α = (N_block + N_SM) / N_block</source>
        <translation>t = (t_Speicher + t_Rechnen) · α,  α = (N_Block + N_SM) / N_Block</translation>
    </message>
    <message>
        <source>t = Σ (t_compute + t_memory + t_launch)</source>
        <translation>t = Σ (t_Rechnen + t_Speicher + t_Start)</translation>
    </message>
    <message>
        <source>t = launch + max(fill + busy + idle, memory),  busy = max(R) + (1 − w) · (Σ R − max(R)),  R = {max(matrix, shared), vector + special, L2}</source>
        <translation>t = Start + max(Anlauf + Arbeit + Leerlauf, Speicher),  Arbeit = max(R) + (1 − w) · (Σ R − max(R)),  R = {max(Matrix, lokaler Speicher), Vektor + Sonderfunktionen, L2}</translation>
    </message>
    <message>
        <source>t = launch + tasks + busy + idle,  busy = max(R) + (1 − w) · (Σ R − max(R)),  R = {matrix + vector + special + moves + calls, L2, L3, memory}</source>
        <translation>t = Start + Aufgaben + Arbeit + Leerlauf,  Arbeit = max(R) + (1 − w) · (Σ R − max(R)),  R = {Matrix + Vektor + Sonderfunktionen + Kopien + Aufrufe, L2, L3, Speicher}</translation>
    </message>
    <message>
        <source>an array was described for the copy engine</source>
        <translation>ein Array für die Kopiereinheit beschrieben wurde</translation>
    </message>
    <message>
        <source>The program has changed.</source>
        <translation>Das Programm hat sich geändert.</translation>
    </message>
    <message>
        <source>The state has changed.</source>
        <translation>Der Zustand hat sich geändert.</translation>
    </message>
    <message>
        <source>The dimensions differ.</source>
        <translation>Die Dimensionen sind andere.</translation>
    </message>
    <message>
        <source>The sizes differ: %1 was %2 and is %3.</source>
        <translation>Die Größen sind andere: %1 war %2 und ist %3.</translation>
    </message>
    <message>
        <source>%1 was %2 and is %3.</source>
        <translation>%1 war %2 und ist %3.</translation>
    </message>
    <message>
        <source>The type differs: it was %1.</source>
        <translation>Der Typ ist ein anderer: Er war %1.</translation>
    </message>
    <message>
        <source>It was measured on another device: %1.</source>
        <translation>Gemessen wurde auf einem anderen Gerät: %1.</translation>
    </message>
    <message>
        <source>It was measured on another machine: %1.</source>
        <translation>Gemessen wurde auf einem anderen Rechner: %1.</translation>
    </message>
    <message>
        <source>The number of threads differs.</source>
        <translation>Die Zahl der Threads ist eine andere.</translation>
    </message>
    <message>
        <source>not even the smallest parts fit</source>
        <translation>nicht einmal die kleinsten Teile passen</translation>
    </message>
    <message>
        <source>no term of the widest column has all groups in it</source>
        <translation>kein Glied der breitesten Spalte enthält alle Gruppen</translation>
    </message>
    <message>
        <source>the widest column has several terms with all groups in them that grow differently</source>
        <translation>die breiteste Spalte hat mehrere Glieder mit allen Gruppen, die verschieden wachsen</translation>
    </message>
    <message>
        <source>its coefficients are roots of sums</source>
        <translation>seine Koeffizienten sind Wurzeln aus Summen</translation>
    </message>
    <message>
        <source>more terms than tile sizes pull against each other</source>
        <translation>mehr Glieder als Kachelgrößen ziehen gegeneinander</translation>
    </message>
    <message>
        <source>a tile size costs more memory than it saves traffic at every size</source>
        <translation>eine Kachelgröße kostet bei jeder Größe mehr Speicher, als sie Verkehr spart</translation>
    </message>
    <message>
        <source>the least traffic lies at the edge of what tile sizes may be</source>
        <translation>der kleinste Verkehr liegt am Rand dessen, was Kachelgrößen sein können</translation>
    </message>
    <message>
        <source>there is no H*</source>
        <translation>es gibt kein H*</translation>
    </message>
    <message>
        <source>H* is known with the sizes put in alone</source>
        <translation>H* ist nur mit eingesetzten Größen bekannt</translation>
    </message>
    <message>
        <source>it has no product of matrices</source>
        <translation>es hat kein Matrixprodukt</translation>
    </message>
    <message>
        <source>its operations are a sum, %1, that H* cannot be divided by</source>
        <translation>seine Operationen sind eine Summe, %1, durch die sich H* nicht teilen lässt</translation>
    </message>
    <message>
        <source>%1 cannot be streamed in every part of %2: %3 stands between the two</source>
        <translation>%1 kann nicht in jedem Teil von %2 strömen: %3 steht zwischen beiden</translation>
    </message>
</context>
<context>
    <name>CostSummary</name>
    <message>
        <source>%1: loads %2 elements</source>
        <translation>%1: lädt %2 Elemente</translation>
    </message>
    <message>
        <source>%1: stores %2 elements</source>
        <translation>%1: speichert %2 Elemente</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Matrix products: %1</source>
        <translation>Matrixprodukte: %1</translation>
    </message>
    <message>
        <source>Other arithmetic: %1</source>
        <translation>Sonstiges Rechnen: %1</translation>
    </message>
    <message>
        <source>exp, sqrt and the like: %1</source>
        <translation>exp, sqrt und dergleichen: %1</translation>
    </message>
    <message>
        <source>Alive at once: %1</source>
        <translation>Gleichzeitig belegt: %1</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Verkehr</translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Local memory</source>
        <translation>Lokaler Speicher</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>Starts</translation>
    </message>
    <message>
        <source>One kernel for each operator at the top level.</source>
        <translation>Ein Kernel für jeden Operator der obersten Ebene.</translation>
    </message>
    <message>
        <source>Parallel tasks</source>
        <translation>Parallele Aufgaben</translation>
    </message>
    <message>
        <source>The fewest of any launch.</source>
        <translation>Die wenigsten eines Starts.</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>≈ same</source>
        <translation>≈ gleich</translation>
    </message>
    <message>
        <source>%1× less</source>
        <translation>%1× weniger</translation>
    </message>
    <message>
        <source>%1× more</source>
        <translation>%1× mehr</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>Initial block program</source>
        <translation>Anfängliches Blockprogramm</translation>
    </message>
    <message>
        <source>%1 rewrites: rules %2</source>
        <translation>%1 Umformungen: Regeln %2</translation>
    </message>
    <message>
        <source>Rule %1</source>
        <translation>Regel %1</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>Steps %1 to %2</source>
        <translation>Schritte %1 bis %2</translation>
    </message>
    <message>
        <source>%1 buffered</source>
        <translation>%1 gepuffert</translation>
    </message>
    <message>
        <source>%1 → %2 buffered</source>
        <translation>%1 → %2 gepuffert</translation>
    </message>
    <message>
        <source>%1 steps · buffered edges %2 → %3</source>
        <translation>%1 Schritte · gepufferte Kanten %2 → %3</translation>
    </message>
    <message>
        <source> · snapshot %1</source>
        <translation> · Schnappschuss %1</translation>
    </message>
    <message>
        <source>%1, page %2 of %3</source>
        <translation>%1, Seite %2 von %3</translation>
    </message>
    <message>
        <source>Snapshot %1</source>
        <translation>Schnappschuss %1</translation>
    </message>
</context>
<context>
    <name>Files</name>
    <message>
        <source>unknown error</source>
        <translation>unbekannter Fehler</translation>
    </message>
    <message>
        <source>This is a folder. Give the file a name in it.</source>
        <translation>Das ist ein Ordner. Geben Sie der Datei einen Namen darin.</translation>
    </message>
    <message>
        <source>The file cannot be written: %1. Nothing was changed; choose another place.</source>
        <translation>Die Datei kann nicht geschrieben werden: %1. Nichts wurde geändert; wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>The document has more than 64 MiB and could not be opened again. Delete branches that you no longer need.</source>
        <translation>Das Dokument hat mehr als 64 MiB und könnte nicht wieder geöffnet werden. Löschen Sie Zweige, die Sie nicht mehr brauchen.</translation>
    </message>
    <message>
        <source>This is a folder. Choose a file in it.</source>
        <translation>Das ist ein Ordner. Wählen Sie eine Datei darin.</translation>
    </message>
    <message>
        <source>The file cannot be read: %1.</source>
        <translation>Die Datei kann nicht gelesen werden: %1.</translation>
    </message>
    <message>
        <source>The file has more than 64 MiB and is no program or document.</source>
        <translation>Die Datei hat mehr als 64 MiB und ist weder Programm noch Dokument.</translation>
    </message>
</context>
<context>
    <name>KernelTables</name>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>%1 KiB</source>
        <translation>%1 KiB</translation>
    </message>
    <message>
        <source>%1 B</source>
        <translation>%1 B</translation>
    </message>
    <message>
        <source>%1 TB/s</source>
        <translation>%1 TB/s</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
</context>
<context>
    <name>Languages</name>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <source>input, output</source>
        <translation>Eingabe, Ausgabe</translation>
    </message>
    <message>
        <source>functional operator</source>
        <translation>funktionaler Operator</translation>
    </message>
    <message>
        <source>elementwise operator</source>
        <translation>elementweiser Operator</translation>
    </message>
    <message>
        <source>reduction of a list</source>
        <translation>Reduktion einer Liste</translation>
    </message>
    <message>
        <source>opaque: nothing fuses</source>
        <translation>undurchsichtig: nichts verschmilzt</translation>
    </message>
    <message>
        <source>map over M and N</source>
        <translation>Map über M und N</translation>
    </message>
    <message>
        <source>folded map</source>
        <translation>eingeklappte Map</translation>
    </message>
    <message>
        <source>peeled: iteration 0</source>
        <translation>abgeschält: Iteration 0</translation>
    </message>
    <message>
        <source>the other iterations</source>
        <translation>die übrigen Iterationen</translation>
    </message>
    <message>
        <source>through global memory</source>
        <translation>durch globalen Speicher</translation>
    </message>
    <message>
        <source>in local memory</source>
        <translation>in lokalem Speicher</translation>
    </message>
    <message>
        <source>way of the selected value</source>
        <translation>Weg des gewählten Wertes</translation>
    </message>
    <message>
        <source>one element at a time</source>
        <translation>ein Element nach dem anderen</translation>
    </message>
    <message>
        <source>the whole value each time</source>
        <translation>jedes Mal der ganze Wert</translation>
    </message>
    <message>
        <source>continues iteration 0</source>
        <translation>setzt Iteration 0 fort</translation>
    </message>
    <message>
        <source>collected into a list</source>
        <translation>zu einer Liste gesammelt</translation>
    </message>
    <message>
        <source>summed over iterations</source>
        <translation>über Iterationen summiert</translation>
    </message>
    <message>
        <source>maximum over iterations</source>
        <translation>Maximum über Iterationen</translation>
    </message>
    <message>
        <source>carried to the next iteration</source>
        <translation>in die nächste Iteration getragen</translation>
    </message>
    <message>
        <source>selected</source>
        <translation>ausgewählt</translation>
    </message>
    <message>
        <source>under the pointer</source>
        <translation>unter dem Zeiger</translation>
    </message>
    <message>
        <source>glows: a rule matches</source>
        <translation>leuchtet: eine Regel passt</translation>
    </message>
    <message>
        <source>glows: made by the step</source>
        <translation>leuchtet: vom Schritt gemacht</translation>
    </message>
    <message>
        <source>why a rule does not apply</source>
        <translation>warum eine Regel nicht passt</translation>
    </message>
    <message>
        <source>found</source>
        <translation>gefunden</translation>
    </message>
    <message>
        <source>only in the other state</source>
        <translation>nur im anderen Zustand</translation>
    </message>
    <message>
        <source>only in this state</source>
        <translation>nur in diesem Zustand</translation>
    </message>
    <message>
        <source>in another map than before</source>
        <translation>in einer anderen Map als zuvor</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>heat map: share of the largest</source>
        <translation>Wärmekarte: Anteil am größten Wert</translation>
    </message>
</context>
<context>
    <name>Main</name>
    <message>
        <source>See AI operator fusion, step by step.</source>
        <translation>KI-Operatoren verschmelzen sehen, Schritt für Schritt.</translation>
    </message>
    <message>
        <source>Print all actions and their keys as Markdown.</source>
        <translation>Alle Aktionen und ihre Tasten als Markdown ausgeben.</translation>
    </message>
    <message>
        <source>Forget all settings first.</source>
        <translation>Zuerst alle Einstellungen vergessen.</translation>
    </message>
    <message>
        <source>A program, a trace or a document.</source>
        <translation>Ein Programm, ein Ablauf oder ein Dokument.</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Toolbar</source>
        <translation>Werkzeugleiste</translation>
    </message>
</context>
<context>
    <name>Page</name>
    <message>
        <source>%1 buffered edges</source>
        <translation>%1 gepufferte Kanten</translation>
    </message>
    <message>
        <source>%1 → %2 buffered edges</source>
        <translation>%1 → %2 gepufferte Kanten</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Step %1 · rule %2</source>
        <translation>Schritt %1 · Regel %2</translation>
    </message>
    <message>
        <source>snapshot %1</source>
        <translation>Schnappschuss %1</translation>
    </message>
    <message>
        <source>Snapshot %1</source>
        <translation>Schnappschuss %1</translation>
    </message>
    <message>
        <source>Block program after step %1</source>
        <translation>Blockprogramm nach Schritt %1</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>Legende</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>First state</source>
        <translation>Erster Zustand</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Pos1</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>Voriger Schritt</translation>
    </message>
    <message>
        <source>Left arrow</source>
        <translation>Pfeil links</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>Nächster Schritt</translation>
    </message>
    <message>
        <source>Right arrow</source>
        <translation>Pfeil rechts</translation>
    </message>
    <message>
        <source>Next snapshot</source>
        <translation>Nächster Schnappschuss</translation>
    </message>
    <message>
        <source>Last state</source>
        <translation>Letzter Zustand</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>%1 steps, buffered edges %2 → %3</source>
        <translation>%1 Schritte, gepufferte Kanten %2 → %3</translation>
    </message>
    <message>
        <source>&lt;kbd&gt;←&lt;/kbd&gt; &lt;kbd&gt;→&lt;/kbd&gt; step · &lt;kbd&gt;S&lt;/kbd&gt; next snapshot · &lt;kbd&gt;Home&lt;/kbd&gt; &lt;kbd&gt;End&lt;/kbd&gt; · &lt;kbd&gt;+&lt;/kbd&gt; &lt;kbd&gt;−&lt;/kbd&gt; &lt;kbd&gt;0&lt;/kbd&gt; zoom · drag to pan</source>
        <translation>&lt;kbd&gt;←&lt;/kbd&gt; &lt;kbd&gt;→&lt;/kbd&gt; Schritt · &lt;kbd&gt;S&lt;/kbd&gt; nächster Schnappschuss · &lt;kbd&gt;Pos1&lt;/kbd&gt; &lt;kbd&gt;Ende&lt;/kbd&gt; · &lt;kbd&gt;+&lt;/kbd&gt; &lt;kbd&gt;−&lt;/kbd&gt; &lt;kbd&gt;0&lt;/kbd&gt; Zoom · Ziehen verschiebt</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Listing</source>
        <translation>Listing</translation>
    </message>
    <message>
        <source>This page shows its steps with JavaScript, which is switched off.</source>
        <translation>Diese Seite zeigt ihre Schritte mit JavaScript, und das ist abgeschaltet.</translation>
    </message>
    <message>
        <source>en</source>
        <extracomment>The code of the language of this translation.</extracomment>
        <translation>de</translation>
    </message>
</context>
<context>
    <name>Picture</name>
    <message>
        <source>opaque</source>
        <translation>undurchsichtig</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>Nothing in local memory</source>
        <translation>Nichts in lokalem Speicher</translation>
    </message>
    <message>
        <source>Lines of the listing</source>
        <translation>Zeilen des Listings</translation>
    </message>
    <message>
        <source>Most alive at once: %1</source>
        <translation>Am meisten gleichzeitig belegt: %1</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> von %1</translation>
    </message>
    <message>
        <source>Arithmetic intensity</source>
        <translation>Arithmetische Intensität</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>No roofline</source>
        <translation>Keine Roofline</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Vorhergesagt</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>No traffic</source>
        <translation>Kein Verkehr</translation>
    </message>
</context>
<context>
    <name>Recovery</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>It was never saved and has no steps yet.</source>
        <translation>Es wurde nie gespeichert und hat noch keine Schritte.</translation>
    </message>
    <message>
        <source>It was never saved and has %1.</source>
        <translation>Es wurde nie gespeichert und hat %1.</translation>
    </message>
    <message>
        <source> The program&apos;s text is another.</source>
        <translation> Der Text des Programms ist ein anderer.</translation>
    </message>
    <message>
        <source>It has %1 that the saved file has not, and lacks %2.</source>
        <translation>Es hat %1, die die gespeicherte Datei nicht hat, und ihm fehlen %2.</translation>
    </message>
    <message>
        <source>It has %1 that the saved file has not.</source>
        <translation>Es hat %1, die die gespeicherte Datei nicht hat.</translation>
    </message>
    <message>
        <source>It lacks %1 of the saved file.</source>
        <translation>Ihm fehlen %1 der gespeicherten Datei.</translation>
    </message>
    <message>
        <source>Steps, branches and notes are those of the saved file; only what is shown differs.</source>
        <translation>Schritte, Zweige und Notizen sind die der gespeicherten Datei; nur was gezeigt wird, ist anders.</translation>
    </message>
    <message>
        <source>one step</source>
        <translation>1 Schritt</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>one branch</source>
        <translation>1 Zweig</translation>
    </message>
    <message>
        <source>%1 branches</source>
        <translation>%1 Zweige</translation>
    </message>
    <message>
        <source>one step of the circuit</source>
        <translation>1 Schritt des Schaltbilds</translation>
    </message>
    <message>
        <source>%1 steps of the circuit</source>
        <translation>%1 Schritte des Schaltbilds</translation>
    </message>
    <message>
        <source>one note</source>
        <translation>1 Notiz</translation>
    </message>
    <message>
        <source>%1 notes</source>
        <translation>%1 Notizen</translation>
    </message>
    <message>
        <source> The edited program was not applied: it is in the editor.</source>
        <translation> Das bearbeitete Programm war nicht übernommen: es steht im Editor.</translation>
    </message>
</context>
<context>
    <name>actions</name>
    <message>
        <source>Unfolds as many levels of maps as you say.</source>
        <translation>Klappt so viele Ebenen von Maps aus, wie Sie sagen.</translation>
    </message>
    <message>
        <source>Fold to &amp;depth...</source>
        <translation>Bis zur &amp;Tiefe einklappen …</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>Dat&amp;ei</translation>
    </message>
    <message>
        <source>&amp;New program</source>
        <translation>&amp;Neues Programm</translation>
    </message>
    <message>
        <source>Starts a new program in the text language.</source>
        <translation>Beginnt ein neues Programm in der Textsprache.</translation>
    </message>
    <message>
        <source>&amp;Open...</source>
        <translation>Ö&amp;ffnen …</translation>
    </message>
    <message>
        <source>Opens a program, a trace or a document.</source>
        <translation>Öffnet ein Programm, einen Ablauf oder ein Dokument.</translation>
    </message>
    <message>
        <source>Start &amp;page</source>
        <translation>&amp;Startseite</translation>
    </message>
    <message>
        <source>Shows the samples and the files that were open last.</source>
        <translation>Zeigt die Beispiele und die zuletzt geöffneten Dateien.</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Saves the program, all branches and notes as one document.</source>
        <translation>Speichert das Programm, alle Zweige und Notizen als ein Dokument.</translation>
    </message>
    <message>
        <source>Save &amp;as...</source>
        <translation>Speichern &amp;unter …</translation>
    </message>
    <message>
        <source>Saves the document under another name.</source>
        <translation>Speichert das Dokument unter einem anderen Namen.</translation>
    </message>
    <message>
        <source>&amp;Export...</source>
        <translation>&amp;Exportieren …</translation>
    </message>
    <message>
        <source>Writes the picture, the whole derivation or the program to a file.</source>
        <translation>Schreibt das Bild, die ganze Herleitung oder das Programm in eine Datei.</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Closes the document and shows the start page.</source>
        <translation>Schließt das Dokument und zeigt die Startseite.</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Ends the program.</source>
        <translation>Beendet das Programm.</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Takes the last change back.</source>
        <translation>Nimmt die letzte Änderung zurück.</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Does again what was undone.</source>
        <translation>Stellt wieder her, was rückgängig gemacht wurde.</translation>
    </message>
    <message>
        <source>Find ne&amp;xt</source>
        <translation>&amp;Weitersuchen</translation>
    </message>
    <message>
        <source>Goes to the next node that was found.</source>
        <translation>Geht zum nächsten gefundenen Knoten.</translation>
    </message>
    <message>
        <source>Find pre&amp;vious</source>
        <translation>R&amp;ückwärts suchen</translation>
    </message>
    <message>
        <source>Goes to the node that was found before.</source>
        <translation>Geht zum vorigen gefundenen Knoten.</translation>
    </message>
    <message>
        <source>Select &amp;nothing</source>
        <translation>&amp;Nichts auswählen</translation>
    </message>
    <message>
        <source>Ends selections, previews and the presentation.</source>
        <translation>Beendet Auswahl, Vorschau und Präsentation.</translation>
    </message>
    <message>
        <source>&amp;Copy the picture</source>
        <translation>Bild &amp;kopieren</translation>
    </message>
    <message>
        <source>Copies the whole picture to the clipboard.</source>
        <translation>Kopiert das ganze Bild in die Zwischenablage.</translation>
    </message>
    <message>
        <source>S&amp;ettings...</source>
        <translation>&amp;Einstellungen …</translation>
    </message>
    <message>
        <source>Theme, animations, speed and saving.</source>
        <translation>Farben, Bewegung, Geschwindigkeit und Sicherung.</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>Ansic&amp;ht</translation>
    </message>
    <message>
        <source>&amp;Fit everything</source>
        <translation>Alles &amp;einpassen</translation>
    </message>
    <message>
        <source>Zooms so that the whole picture is visible.</source>
        <translation>Zeigt das ganze Bild.</translation>
    </message>
    <message>
        <source>Fit the &amp;selection</source>
        <translation>&amp;Auswahl einpassen</translation>
    </message>
    <message>
        <source>Zooms to what is selected.</source>
        <translation>Vergrößert, was ausgewählt ist.</translation>
    </message>
    <message>
        <source>&amp;Original size</source>
        <translation>&amp;Originalgröße</translation>
    </message>
    <message>
        <source>Shows one unit of the picture as one pixel.</source>
        <translation>Zeigt eine Einheit des Bildes als ein Pixel.</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>Ver&amp;größern</translation>
    </message>
    <message>
        <source>Shows the picture larger.</source>
        <translation>Zeigt das Bild größer.</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>Shows the picture smaller.</source>
        <translation>Zeigt das Bild kleiner.</translation>
    </message>
    <message>
        <source>Fold or &amp;unfold</source>
        <translation>Ein- oder a&amp;usklappen</translation>
    </message>
    <message>
        <source>Folds the selected map to a cloud, or unfolds it.</source>
        <translation>Klappt die ausgewählte Map zu einer Wolke ein, oder wieder aus.</translation>
    </message>
    <message>
        <source>Fold &amp;all</source>
        <translation>Alles e&amp;inklappen</translation>
    </message>
    <message>
        <source>Folds every map.</source>
        <translation>Klappt alle Maps ein.</translation>
    </message>
    <message>
        <source>Unfo&amp;ld all</source>
        <translation>Alles aus&amp;klappen</translation>
    </message>
    <message>
        <source>Unfolds every map.</source>
        <translation>Klappt alle Maps aus.</translation>
    </message>
    <message>
        <source>Show &amp;one level</source>
        <translation>Ei&amp;ne Ebene zeigen</translation>
    </message>
    <message>
        <source>Unfolds the outermost maps only.</source>
        <translation>Klappt nur die äußersten Maps aus.</translation>
    </message>
    <message>
        <source>Show &amp;two levels</source>
        <translation>&amp;Zwei Ebenen zeigen</translation>
    </message>
    <message>
        <source>Unfolds two levels of maps.</source>
        <translation>Klappt zwei Ebenen von Maps aus.</translation>
    </message>
    <message>
        <source>Show t&amp;hree levels</source>
        <translation>D&amp;rei Ebenen zeigen</translation>
    </message>
    <message>
        <source>Unfolds three levels of maps.</source>
        <translation>Klappt drei Ebenen von Maps aus.</translation>
    </message>
    <message>
        <source>Lay out a&amp;fresh</source>
        <translation>&amp;Neu anordnen</translation>
    </message>
    <message>
        <source>Lays this state out anew instead of keeping blocks where they were.</source>
        <translation>Ordnet diesen Zustand neu an, statt Blöcke zu lassen, wo sie waren.</translation>
    </message>
    <message>
        <source>Types on &amp;edges</source>
        <translation>&amp;Typen an Kanten</translation>
    </message>
    <message>
        <source>&amp;Minimap</source>
        <translation>&amp;Übersicht</translation>
    </message>
    <message>
        <source>Shows the whole picture small in a corner.</source>
        <translation>Zeigt das ganze Bild klein in einer Ecke.</translation>
    </message>
    <message>
        <source>Le&amp;gend</source>
        <translation>&amp;Legende</translation>
    </message>
    <message>
        <source>Explains shapes and colours.</source>
        <translation>Erklärt Formen und Farben.</translation>
    </message>
    <message>
        <source>Li&amp;ght theme</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>Dark text on a light ground.</source>
        <translation>Dunkle Schrift auf hellem Grund.</translation>
    </message>
    <message>
        <source>&amp;Dark theme</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>Light text on a dark ground.</source>
        <translation>Helle Schrift auf dunklem Grund.</translation>
    </message>
    <message>
        <source>Follo&amp;w the system</source>
        <translation>&amp;Wie das System</translation>
    </message>
    <message>
        <source>Light or dark as the desktop is.</source>
        <translation>Hell oder dunkel wie die Arbeitsfläche.</translation>
    </message>
    <message>
        <source>&amp;Presentation</source>
        <translation>&amp;Präsentation</translation>
    </message>
    <message>
        <source>Large type and nothing but the picture; Esc ends it.</source>
        <translation>Große Schrift und nichts als das Bild; Esc beendet sie.</translation>
    </message>
    <message>
        <source>Full s&amp;creen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>The window covers the whole screen.</source>
        <translation>Das Fenster füllt den ganzen Bildschirm.</translation>
    </message>
    <message>
        <source>Pict&amp;ure</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Select to the &amp;left</source>
        <translation>&amp;Links auswählen</translation>
    </message>
    <message>
        <source>Selects the next block to the left.</source>
        <translation>Wählt den nächsten Block links aus.</translation>
    </message>
    <message>
        <source>Select to the &amp;right</source>
        <translation>&amp;Rechts auswählen</translation>
    </message>
    <message>
        <source>Selects the next block to the right.</source>
        <translation>Wählt den nächsten Block rechts aus.</translation>
    </message>
    <message>
        <source>Select &amp;above</source>
        <translation>&amp;Oben auswählen</translation>
    </message>
    <message>
        <source>Selects the next block above.</source>
        <translation>Wählt den nächsten Block darüber aus.</translation>
    </message>
    <message>
        <source>Select &amp;below</source>
        <translation>&amp;Unten auswählen</translation>
    </message>
    <message>
        <source>Selects the next block below.</source>
        <translation>Wählt den nächsten Block darunter aus.</translation>
    </message>
    <message>
        <source>Select the &amp;map around</source>
        <translation>Umgebende &amp;Map auswählen</translation>
    </message>
    <message>
        <source>Selects the map that holds the selection.</source>
        <translation>Wählt die Map aus, in der die Auswahl liegt.</translation>
    </message>
    <message>
        <source>Select the &amp;first inside</source>
        <translation>&amp;Ersten darin auswählen</translation>
    </message>
    <message>
        <source>Selects the first block in the selected map.</source>
        <translation>Wählt den ersten Block in der ausgewählten Map aus.</translation>
    </message>
    <message>
        <source>&amp;Fold or unfold here</source>
        <translation>&amp;Hier ein- oder ausklappen</translation>
    </message>
    <message>
        <source>Folds or unfolds the selected map.</source>
        <translation>Klappt die ausgewählte Map ein oder aus.</translation>
    </message>
    <message>
        <source>Move &amp;left</source>
        <translation>Nach l&amp;inks schieben</translation>
    </message>
    <message>
        <source>Moves the view to the left.</source>
        <translation>Schiebt die Ansicht nach links.</translation>
    </message>
    <message>
        <source>Move &amp;right</source>
        <translation>Nach re&amp;chts schieben</translation>
    </message>
    <message>
        <source>Moves the view to the right.</source>
        <translation>Schiebt die Ansicht nach rechts.</translation>
    </message>
    <message>
        <source>Move &amp;up</source>
        <translation>Nach o&amp;ben schieben</translation>
    </message>
    <message>
        <source>Moves the view up.</source>
        <translation>Schiebt die Ansicht nach oben.</translation>
    </message>
    <message>
        <source>Move &amp;down</source>
        <translation>Nach u&amp;nten schieben</translation>
    </message>
    <message>
        <source>Moves the view down.</source>
        <translation>Schiebt die Ansicht nach unten.</translation>
    </message>
    <message>
        <source>Ste&amp;p</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>To the &amp;start</source>
        <translation>Zum &amp;Anfang</translation>
    </message>
    <message>
        <source>Goes to the program before the first step.</source>
        <translation>Geht zum Programm vor dem ersten Schritt.</translation>
    </message>
    <message>
        <source>Previous s&amp;napshot</source>
        <translation>V&amp;origer Schnappschuss</translation>
    </message>
    <message>
        <source>Goes back to the snapshot before.</source>
        <translation>Geht zum Schnappschuss davor zurück.</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Goes one step back.</source>
        <translation>Geht einen Schritt zurück.</translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation>Ab&amp;spielen</translation>
    </message>
    <message>
        <source>Steps on by itself until the end.</source>
        <translation>Geht von selbst weiter bis zum Ende.</translation>
    </message>
    <message>
        <source>&amp;Next step</source>
        <translation>&amp;Nächster Schritt</translation>
    </message>
    <message>
        <source>Goes one step on; at the end of a branch the algorithm&apos;s next.</source>
        <translation>Geht einen Schritt weiter; am Ende eines Zweiges den nächsten des Algorithmus.</translation>
    </message>
    <message>
        <source>Next &amp;snapshot</source>
        <translation>Nä&amp;chster Schnappschuss</translation>
    </message>
    <message>
        <source>Goes to the next snapshot.</source>
        <translation>Geht zum nächsten Schnappschuss.</translation>
    </message>
    <message>
        <source>To the &amp;end</source>
        <translation>Zum &amp;Ende</translation>
    </message>
    <message>
        <source>Play &amp;faster</source>
        <translation>Sch&amp;neller abspielen</translation>
    </message>
    <message>
        <source>Halves the time between two steps.</source>
        <translation>Halbiert die Zeit zwischen zwei Schritten.</translation>
    </message>
    <message>
        <source>Play s&amp;lower</source>
        <translation>&amp;Langsamer abspielen</translation>
    </message>
    <message>
        <source>Doubles the time between two steps.</source>
        <translation>Verdoppelt die Zeit zwischen zwei Schritten.</translation>
    </message>
    <message>
        <source>&amp;Compare with the step before</source>
        <translation>&amp;Mit dem Schritt davor vergleichen</translation>
    </message>
    <message>
        <source>Shows the step before and this one side by side; once more ends it.</source>
        <translation>Zeigt den Schritt davor und diesen nebeneinander; noch einmal beendet es.</translation>
    </message>
    <message>
        <source>&amp;Run the algorithm from here</source>
        <translation>Algorithmus von hier aus&amp;führen</translation>
    </message>
    <message>
        <source>Runs the fusion algorithm on from this state.</source>
        <translation>Führt den Fusionsalgorithmus von diesem Zustand aus weiter.</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>&amp;Fenster</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Command &amp;palette...</source>
        <translation>&amp;Befehlspalette …</translation>
    </message>
    <message>
        <source>Finds any action, step, sample or recent file by name.</source>
        <translation>Findet jede Aktion, jeden Schritt, jedes Beispiel und jede letzte Datei nach Namen.</translation>
    </message>
    <message>
        <source>&amp;Shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>Lists all actions and their keys.</source>
        <translation>Zeigt alle Aktionen und ihre Tasten.</translation>
    </message>
    <message>
        <source>&amp;About Blockscope</source>
        <translation>&amp;Über Blockscope</translation>
    </message>
    <message>
        <source>Version and licences.</source>
        <translation>Version und Lizenzen.</translation>
    </message>
    <message>
        <source>Go to the p&amp;icture</source>
        <translation>Zum &amp;Bild gehen</translation>
    </message>
    <message>
        <source>Gives the picture the focus.</source>
        <translation>Gibt dem Bild den Fokus.</translation>
    </message>
    <message>
        <source>&amp;Reset the arrangement</source>
        <translation>Anordnung &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Puts all panels back where they were at first.</source>
        <translation>Bringt alle Tafeln dorthin zurück, wo sie anfangs waren.</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Every place where a rule applies, and why a rule does not.</source>
        <translation>Jede Stelle, an der eine Regel passt, und warum eine nicht passt.</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>All branches as a tree, with notes on steps.</source>
        <translation>Alle Zweige als Baum, mit Notizen zu Schritten.</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>The steps of the branch, playing, and a slider over the run.</source>
        <translation>Die Schritte des Zweiges, Abspielen und ein Schieber über den Lauf.</translation>
    </message>
    <message>
        <source>Listing</source>
        <translation>Listing</translation>
    </message>
    <message>
        <source>The state as pseudocode, with what changed, linked with the picture.</source>
        <translation>Der Zustand als Pseudocode, mit dem, was sich geändert hat, verbunden mit dem Bild.</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>The rule of the current step: both sides drawn, its condition, why it preserves meaning.</source>
        <translation>Die Regel des aktuellen Schritts: beide Seiten gezeichnet, ihre Bedingung, warum sie die Bedeutung erhält.</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>Größen</translation>
    </message>
    <message>
        <source>Sizes and block sizes, and what the state costs with them.</source>
        <translation>Größen und Blockgrößen, und was der Zustand damit kostet.</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>The program as text, with problems shown while typing.</source>
        <translation>Das Programm als Text; Fehler zeigen sich beim Tippen.</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>Gliederung</translation>
    </message>
    <message>
        <source>Maps and operators as a tree; its boxes fold and unfold maps.</source>
        <translation>Maps und Operatoren als Baum; seine Kästchen klappen Maps ein und aus.</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Finds nodes by name, operator, type or regular expression.</source>
        <translation>Findet Knoten nach Name, Operator, Typ oder regulärem Ausdruck.</translation>
    </message>
    <message>
        <source>Array program</source>
        <translation>Array-Programm</translation>
    </message>
    <message>
        <source>The operators on whole arrays, before there are blocks.</source>
        <translation>Die Operatoren auf ganzen Arrays, bevor es Blöcke gibt.</translation>
    </message>
    <message>
        <source>Heat map: bytes mo&amp;ved</source>
        <translation>Wärmekarte: &amp;bewegte Bytes</translation>
    </message>
    <message>
        <source>Colours operators, edges and lines by the bytes they move.</source>
        <translation>Färbt Operatoren, Kanten und Zeilen nach den Bytes, die sie bewegen.</translation>
    </message>
    <message>
        <source>Heat map: o&amp;perations</source>
        <translation>Wär&amp;mekarte: Operationen</translation>
    </message>
    <message>
        <source>Colours operators and lines by their arithmetic.</source>
        <translation>Färbt Operatoren und Zeilen nach dem, was sie rechnen.</translation>
    </message>
    <message>
        <source>Heat map: local memor&amp;y</source>
        <translation>Wärmekarte: lokaler &amp;Speicher</translation>
    </message>
    <message>
        <source>Colours operators and lines by what is alive in local memory while they run.</source>
        <translation>Färbt Operatoren und Zeilen nach dem, was in lokalem Speicher belegt ist, während sie laufen.</translation>
    </message>
    <message>
        <source>Costs</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>What every state costs: a table, charts, formulas, predicted and measured times.</source>
        <translation>Was jeder Zustand kostet: eine Tabelle, Diagramme, Formeln, vorhergesagte und gemessene Zeiten.</translation>
    </message>
    <message>
        <source>Circuit</source>
        <translation>Schaltbild</translation>
    </message>
    <message>
        <source>The neural circuit diagram: wires, levels, groups and streams, what is moved and what is held.</source>
        <translation>Das neuronale Schaltbild: Leitungen, Ebenen, Gruppen und Ströme, was bewegt und was gehalten wird.</translation>
    </message>
    <message>
        <source>Dia&amp;gram</source>
        <translation>Dia&amp;gramm</translation>
    </message>
    <message>
        <source>The circuit &amp;step by step</source>
        <translation>Das Schaltbild &amp;Schritt für Schritt</translation>
    </message>
    <message>
        <source>Shows the circuit whose axes you group and stream: click a wire.</source>
        <translation>Zeigt das Schaltbild, dessen Achsen Sie gruppieren und strömen lassen: Klicken Sie eine Leitung an.</translation>
    </message>
    <message>
        <source>Picture and circuit &amp;beside each other</source>
        <translation>Bild und Schaltbild neben&amp;einander</translation>
    </message>
    <message>
        <source>Shows the picture and the circuit side by side instead of behind tabs.</source>
        <translation>Zeigt das Bild und das Schaltbild nebeneinander statt hinter Reitern.</translation>
    </message>
    <message>
        <source>&amp;Group the axis</source>
        <translation>Die Achse &amp;gruppieren</translation>
    </message>
    <message>
        <source>Splits the chosen axis among processors.</source>
        <translation>Teilt die gewählte Achse auf Prozessoren auf.</translation>
    </message>
    <message>
        <source>St&amp;ream the axis</source>
        <translation>Die Achse st&amp;römen lassen</translation>
    </message>
    <message>
        <source>Takes the parts of the chosen axis one after the other.</source>
        <translation>Nimmt die Teile der gewählten Achse nacheinander.</translation>
    </message>
    <message>
        <source>Put the axis &amp;together</source>
        <translation>Die Achse &amp;zusammenfügen</translation>
    </message>
    <message>
        <source>The chosen axis is not split any more.</source>
        <translation>Die gewählte Achse ist nicht mehr geteilt.</translation>
    </message>
    <message>
        <source>Re&amp;name the axis...</source>
        <translation>Die Achse umbe&amp;nennen ...</translation>
    </message>
    <message>
        <source>Gives the chosen axis another name, or another size.</source>
        <translation>Gibt der gewählten Achse einen anderen Namen oder eine andere Größe.</translation>
    </message>
    <message>
        <source>Sam&amp;ple circuits...</source>
        <translation>&amp;Beispiele von Schaltbildern ...</translation>
    </message>
    <message>
        <source>Opens one of the circuits that come with the program, such as FlashAttention-3.</source>
        <translation>Öffnet eines der Schaltbilder, die mit dem Programm kommen, etwa FlashAttention-3.</translation>
    </message>
    <message>
        <source>&amp;Export the circuit...</source>
        <translation>Schaltbild &amp;exportieren ...</translation>
    </message>
    <message>
        <source>Writes the circuit that is shown to a file: SVG, PDF, PNG, TikZ or JSON.</source>
        <translation>Schreibt das gezeigte Schaltbild in eine Datei: SVG, PDF, PNG, TikZ oder JSON.</translation>
    </message>
    <message>
        <source>Circuit steps</source>
        <translation>Schaltbild-Schritte</translation>
    </message>
    <message>
        <source>The circuit step by step: its axes, what can be done with them and why, and what it costs.</source>
        <translation>Das Schaltbild Schritt für Schritt: seine Achsen, was mit ihnen möglich ist und warum, und was es kostet.</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>The algorithm as a kernel of warpgroups: pseudocode, sizes and limits, clocks and overlap.</source>
        <translation>Der Algorithmus als Kernel aus Warpgruppen: Pseudocode, Größen und Grenzen, Takte und Überlappung.</translation>
    </message>
    <message>
        <source>Heat &amp;map</source>
        <translation>&amp;Wärmekarte</translation>
    </message>
    <message>
        <source>Heat map: &amp;inputs</source>
        <translation>Wärmekarte: &amp;Eingaben</translation>
    </message>
    <message>
        <source>Colours edges and lines by the bytes of inputs that they move.</source>
        <translation>Färbt Kanten und Zeilen nach den Bytes der Eingaben, die sie bewegen.</translation>
    </message>
    <message>
        <source>Heat map: o&amp;utputs</source>
        <translation>Wärmekarte: A&amp;usgaben</translation>
    </message>
    <message>
        <source>Colours edges and lines by the bytes of outputs that they move.</source>
        <translation>Färbt Kanten und Zeilen nach den Bytes der Ausgaben, die sie bewegen.</translation>
    </message>
    <message>
        <source>Heat map: i&amp;ntermediates</source>
        <translation>Wärmekarte: Z&amp;wischenergebnisse</translation>
    </message>
    <message>
        <source>Colours edges and lines by the bytes of intermediates that they move.</source>
        <translation>Färbt Kanten und Zeilen nach den Bytes der Zwischenergebnisse, die sie bewegen.</translation>
    </message>
    <message>
        <source>Heat map: predicted &amp;time</source>
        <translation>Wärmekarte: vorhergesagte &amp;Zeit</translation>
    </message>
    <message>
        <source>Colours operators, edges and lines by the time that the model gives them.</source>
        <translation>Färbt Operatoren, Kanten und Zeilen nach der Zeit, die das Modell ihnen gibt.</translation>
    </message>
    <message>
        <source>&amp;Graphics cards...</source>
        <translation>&amp;Grafikkarten …</translation>
    </message>
    <message>
        <source>Says which graphics cards are there, and how to install what is missing to use them.</source>
        <translation>Sagt, welche Grafikkarten da sind und wie man installiert, was zu ihrer Nutzung fehlt.</translation>
    </message>
    <message>
        <source>CUDA</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <source>The state as CUDA: source, what the compiler makes of it, times on a graphics card.</source>
        <translation>Der Zustand als CUDA: Quelltext, was der Compiler daraus macht, Zeiten auf einer Grafikkarte.</translation>
    </message>
    <message>
        <source>Heat map: mea&amp;sured time</source>
        <translation>Wärmekarte: &amp;gemessene Zeit</translation>
    </message>
    <message>
        <source>Colours the operators of the top level, one kernel each, by their measured time.</source>
        <translation>Färbt die Operatoren der obersten Ebene, je ein Kernel, nach ihrer gemessenen Zeit.</translation>
    </message>
    <message>
        <source>Heat map: &amp;replicated work</source>
        <translation>Wärmekarte: wieder&amp;holte Arbeit</translation>
    </message>
    <message>
        <source>Colours operators and maps by how many times over they do the unfused program&apos;s work.</source>
        <translation>Färbt Operatoren und Maps danach, wie vielfach sie die Arbeit des unverschmolzenen Programms tun.</translation>
    </message>
    <message>
        <source>Heat map: int&amp;ensity</source>
        <translation>Wärmekarte: &amp;Intensität</translation>
    </message>
    <message>
        <source>Colours operators and maps by their operations per byte loaded and stored.</source>
        <translation>Färbt Operatoren und Maps nach ihren Operationen je geladenem und gespeichertem Byte.</translation>
    </message>
    <message>
        <source>Heat map: &amp;launches</source>
        <translation>Wärmekarte: S&amp;tarts</translation>
    </message>
    <message>
        <source>Colours the operators of the top level, one launch each.</source>
        <translation>Färbt die Operatoren der obersten Ebene, je ein Start.</translation>
    </message>
    <message>
        <source>Heat map: parallel tas&amp;ks</source>
        <translation>Wärmekarte: &amp;parallele Aufgaben</translation>
    </message>
    <message>
        <source>Colours the operators of the top level by their parallel tasks.</source>
        <translation>Färbt die Operatoren der obersten Ebene nach ihren parallelen Aufgaben.</translation>
    </message>
    <message>
        <source>W&amp;here a number comes from</source>
        <translation>Wo eine Zahl herk&amp;ommt</translation>
    </message>
    <message>
        <source>Opens the formula of the heat map&apos;s number of what is selected, else of the whole state.</source>
        <translation>Öffnet die Formel der Zahl der Wärmekarte von dem, was ausgewählt ist, sonst vom ganzen Zustand.</translation>
    </message>
    <message>
        <source>One step of the circuit bac&amp;k</source>
        <translation>Schritt des Schaltbilds z&amp;urück</translation>
    </message>
    <message>
        <source>Goes to the circuit&apos;s state before.</source>
        <translation>Geht zum Zustand des Schaltbilds davor.</translation>
    </message>
    <message>
        <source>One step of the circuit &amp;on</source>
        <translation>Schritt des Schaltbil&amp;ds weiter</translation>
    </message>
    <message>
        <source>Goes to the circuit&apos;s next state.</source>
        <translation>Geht zum nächsten Zustand des Schaltbilds.</translation>
    </message>
    <message>
        <source>Writes the type of its value on every edge that has room for it: zoom in.</source>
        <translation>Schreibt den Typ ihres Wertes an jede Kante, an der Platz ist: näher heranholen.</translation>
    </message>
    <message>
        <source>Goes to the last step of the branch; from there, runs the algorithm to its end.</source>
        <translation>Geht zum letzten Schritt des Zweigs; von dort läuft der Algorithmus bis zum Ende.</translation>
    </message>
</context>
<context>
    <name>blockscope::ArrayView</name>
    <message>
        <source>Array program</source>
        <translation>Array-Programm</translation>
    </message>
    <message>
        <source>No program</source>
        <translation>Kein Programm</translation>
    </message>
    <message>
        <source>Open a program or a sample to see its arrays.</source>
        <translation>Öffnen Sie ein Programm oder ein Beispiel, um seine Arrays zu sehen.</translation>
    </message>
    <message>
        <source>No array program</source>
        <translation>Kein Array-Programm</translation>
    </message>
    <message>
        <source>This document was opened as a block program: it has no operators on whole arrays.</source>
        <translation>Dieses Dokument wurde als Blockprogramm geöffnet: Es hat keine Operatoren auf ganzen Arrays.</translation>
    </message>
    <message>
        <source>Laying out the array program</source>
        <translation>Das Array-Programm wird angeordnet</translation>
    </message>
    <message>
        <source>No picture</source>
        <translation>Kein Bild</translation>
    </message>
    <message>
        <source>Laying it out was cancelled. Any step asks for it again.</source>
        <translation>Das Anordnen wurde abgebrochen. Jeder Schritt verlangt es erneut.</translation>
    </message>
    <message>
        <source>Cancelled: no links to the blocks.</source>
        <translation>Abgebrochen: keine Verbindung zu den Blöcken.</translation>
    </message>
</context>
<context>
    <name>blockscope::AskedForCuda</name>
    <message>
        <source>The process that opened NVIDIA&apos;s libraries crashed.</source>
        <translation>Der Prozess, der NVIDIAs Bibliotheken öffnete, ist abgestürzt.</translation>
    </message>
    <message>
        <source>Opening NVIDIA&apos;s libraries took longer than half a minute and was ended.</source>
        <translation>NVIDIAs Bibliotheken zu öffnen dauerte länger als eine halbe Minute und wurde beendet.</translation>
    </message>
    <message>
        <source>The window goes on without a card. Installing the driver again, or restarting the machine after an update of the driver, often helps; then look again.</source>
        <translation>Das Fenster läuft ohne Karte weiter. Oft hilft es, den Treiber neu zu installieren oder den Rechner nach einer Aktualisierung des Treibers neu zu starten; danach noch einmal suchen.</translation>
    </message>
    <message>
        <source>The process that opens NVIDIA&apos;s libraries gave no answer.</source>
        <translation>Der Prozess, der NVIDIAs Bibliotheken öffnet, gab keine Antwort.</translation>
    </message>
</context>
<context>
    <name>blockscope::Breadcrumb</name>
    <message>
        <source>Where the selection is</source>
        <translation>Wo die Auswahl ist</translation>
    </message>
    <message>
        <source>%1-map</source>
        <translation>%1-Map</translation>
    </message>
</context>
<context>
    <name>blockscope::Canvas</name>
    <message>
        <source>Block program</source>
        <translation>Blockprogramm</translation>
    </message>
    <message>
        <source>%1, through global memory</source>
        <translation>%1, durch globalen Speicher</translation>
    </message>
    <message>
        <source>%1, in local memory</source>
        <translation>%1, in lokalem Speicher</translation>
    </message>
    <message>
        <source>edge from %1 to %2: %3</source>
        <translation>Kante von %1 nach %2: %3</translation>
    </message>
</context>
<context>
    <name>blockscope::ChartTabs</name>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Verkehr</translation>
    </message>
    <message>
        <source>Local memory</source>
        <translation>Lokaler Speicher</translation>
    </message>
    <message>
        <source>Predicted and measured</source>
        <translation>Vorhergesagt und gemessen</translation>
    </message>
</context>
<context>
    <name>blockscope::ChoiceBar</name>
    <message>
        <source>All steps</source>
        <translation>Alle Schritte</translation>
    </message>
    <message>
        <source>Rows for every step of the branch, not only for its snapshots</source>
        <translation>Zeilen für jeden Schritt des Zweiges, nicht nur für seine Schnappschüsse</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>The device that times are predicted for</source>
        <translation>Das Gerät, für das Zeiten vorhergesagt werden</translation>
    </message>
    <message>
        <source>Time model</source>
        <translation>Zeitmodell</translation>
    </message>
</context>
<context>
    <name>blockscope::CircuitPage</name>
    <message>
        <source>This state</source>
        <translation>Dieser Zustand</translation>
    </message>
    <message>
        <source>The program</source>
        <translation>Das Programm</translation>
    </message>
    <message>
        <source>One algorithm</source>
        <translation>Ein Algorithmus</translation>
    </message>
    <message>
        <source>Which diagram</source>
        <translation>Welches Schaltbild</translation>
    </message>
    <message>
        <source>Formulas</source>
        <translation>Formeln</translation>
    </message>
    <message>
        <source>Counts</source>
        <translation>Anzahlen</translation>
    </message>
    <message>
        <source>No numbers</source>
        <translation>Keine Zahlen</translation>
    </message>
    <message>
        <source>Numbers under the columns</source>
        <translation>Zahlen unter den Spalten</translation>
    </message>
    <message>
        <source>H: values that change their level. M: values that are there at a level. The widest column is framed.</source>
        <translation>H: Werte, die ihre Ebene wechseln. M: Werte, die auf einer Ebene liegen. Die breiteste Spalte ist umrahmt.</translation>
    </message>
    <message>
        <source>Show the diagram smaller</source>
        <translation>Das Schaltbild kleiner zeigen</translation>
    </message>
    <message>
        <source>Show the diagram larger</source>
        <translation>Das Schaltbild größer zeigen</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Show the whole diagram</source>
        <translation>Das ganze Schaltbild zeigen</translation>
    </message>
    <message>
        <source>Export...</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>No program</source>
        <translation>Kein Programm</translation>
    </message>
    <message>
        <source>Open a program or a sample to see its circuit.</source>
        <translation>Öffnen Sie ein Programm oder ein Beispiel, um sein Schaltbild zu sehen.</translation>
    </message>
    <message>
        <source>Drawing the circuit</source>
        <translation>Das Schaltbild wird gezeichnet</translation>
    </message>
    <message>
        <source>No diagram of this</source>
        <translation>Kein Schaltbild hiervon</translation>
    </message>
    <message>
        <source>There is no diagram to export.</source>
        <translation>Es gibt kein Schaltbild zum Exportieren.</translation>
    </message>
    <message>
        <source>Export diagram</source>
        <translation>Schaltbild exportieren</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
    <message>
        <source>Step by step</source>
        <translation>Schritt für Schritt</translation>
    </message>
    <message>
        <source>Write the diagram to a file: SVG, PDF, PNG, TikZ or JSON</source>
        <translation>Das Schaltbild in eine Datei schreiben: SVG, PDF, PNG, TikZ oder JSON</translation>
    </message>
    <message>
        <source>Diagrams (*.svg *.pdf *.png *.tex *.json)</source>
        <translation>Schaltbilder (*.svg *.pdf *.png *.tex *.json)</translation>
    </message>
    <message>
        <source>%1 could not be written. The ending has to be .svg, .pdf, .png, .tex or .json.</source>
        <translation>%1 konnte nicht geschrieben werden. Die Endung muss .svg, .pdf, .png, .tex oder .json sein.</translation>
    </message>
    <message>
        <source>Name of the axis</source>
        <translation>Name der Achse</translation>
    </message>
    <message>
        <source>A name, or a name and a size: q = 4096</source>
        <translation>Ein Name, oder Name und Größe: q = 4096</translation>
    </message>
    <message>
        <source>Choose an axis of the circuit first.</source>
        <translation>Wählen Sie zuerst eine Achse des Schaltbilds.</translation>
    </message>
    <message>
        <source>Choose an axis first: click a wire of the step-by-step circuit.</source>
        <translation>Wählen Sie zuerst eine Achse: Klicken Sie eine Leitung des Schaltbilds Schritt für Schritt an.</translation>
    </message>
    <message>
        <source>in parts of %L1</source>
        <translation>in Teilen von %L1</translation>
    </message>
    <message>
        <source>Group %1</source>
        <translation>%1 gruppieren</translation>
    </message>
    <message>
        <source>Stream %1</source>
        <translation>%1 strömen lassen</translation>
    </message>
    <message>
        <source>&lt;b&gt;Step %1 of %2, %3.&lt;/b&gt; %4 &lt;a href=&quot;back&quot;&gt;Back to the diagram&lt;/a&gt;</source>
        <translation>&lt;b&gt;Schritt %1 von %2, %3.&lt;/b&gt; %4 &lt;a href=&quot;back&quot;&gt;Zurück zum Schaltbild&lt;/a&gt;</translation>
    </message>
    <message>
        <source>The model</source>
        <translation>Das Modell</translation>
    </message>
    <message>
        <source>Pseudocode</source>
        <translation>Pseudocode</translation>
    </message>
    <message>
        <source>This state: maps are groups and streams. The program: before there are blocks. One algorithm: the whole program on two levels, grouped and streamed wherever it can be. The model: inputs whose names begin with W are learned maps. Pseudocode: the algorithm as an explicit loop. Step by step: you group and stream its axes.</source>
        <translation>Dieser Zustand: Maps sind Gruppen und Ströme. Das Programm: bevor es Blöcke gibt. Ein Algorithmus: das ganze Programm auf zwei Ebenen, gruppiert und strömend, wo es geht. Das Modell: Eingaben, deren Namen mit W beginnen, sind gelernte Abbildungen. Pseudocode: der Algorithmus als ausgeschriebene Schleife. Schritt für Schritt: Sie gruppieren seine Achsen und lassen sie strömen.</translation>
    </message>
    <message>
        <source>drawn once</source>
        <translation>einmal gezeichnet</translation>
    </message>
    <message>
        <source>How often the program is repeated</source>
        <translation>Wie oft das Programm wiederholt wird</translation>
    </message>
    <message>
        <source>Draws the program in brackets, as so many layers: of programs whose first output has the type of their first input</source>
        <translation>Zeichnet das Programm in Klammern, als so viele Schichten: bei Programmen, deren erste Ausgabe den Typ der ersten Eingabe hat</translation>
    </message>
</context>
<context>
    <name>blockscope::CircuitSteps</name>
    <message>
        <source>This document was opened as a block program: its axes are split into blocks already, and no program on whole axes can be read from it. Open the text of the program to group and stream its axes.</source>
        <translation>Dieses Dokument wurde als Blockprogramm geöffnet: Seine Achsen sind schon in Blöcke geteilt, und ein Programm auf ganzen Achsen lässt sich nicht daraus lesen. Öffnen Sie den Text des Programms, um seine Achsen zu gruppieren und strömen zu lassen.</translation>
    </message>
    <message>
        <source>Reading the circuit&apos;s axes</source>
        <translation>Die Achsen des Schaltbilds werden gelesen</translation>
    </message>
    <message>
        <source>Analysing the circuit</source>
        <translation>Das Schaltbild wird analysiert</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no name of an axis; expected one such as q, or q = 4096.</source>
        <translation>&quot;%1&quot; ist kein Name einer Achse; erwartet: etwa q oder q = 4096.</translation>
    </message>
    <message>
        <source>The circuit has changed meanwhile, so that nothing was done.</source>
        <translation>Das Schaltbild hat sich inzwischen geändert; es wurde nichts getan.</translation>
    </message>
    <message>
        <source>Go to a state of the circuit</source>
        <translation>Zu einem Zustand des Schaltbilds gehen</translation>
    </message>
    <message>
        <source>Circuit: %1</source>
        <translation>Schaltbild: %1</translation>
    </message>
    <message>
        <source>The note is too long. A note may have %1 bytes.</source>
        <translation>Die Notiz ist zu lang. Eine Notiz darf %1 Bytes haben.</translation>
    </message>
    <message>
        <source>Edit a note of the circuit</source>
        <translation>Eine Notiz des Schaltbilds bearbeiten</translation>
    </message>
</context>
<context>
    <name>blockscope::CircuitView</name>
    <message>
        <source>Circuit diagram</source>
        <translation>Schaltbild</translation>
    </message>
    <message>
        <source>Operators: %1</source>
        <translation>Operatoren: %1</translation>
    </message>
</context>
<context>
    <name>blockscope::CircuitWindow</name>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
</context>
<context>
    <name>blockscope::ClockView</name>
    <message>
        <source>Clock diagram</source>
        <translation>Taktdiagramm</translation>
    </message>
    <message>
        <source>Warpgroups: %1. Clocks of an iteration of all: %2.</source>
        <translation>Warpgruppen: %1. Takte einer Iteration aller: %2.</translation>
    </message>
    <message>
        <source>Warpgroup %1</source>
        <translation>Warpgruppe %1</translation>
    </message>
    <message>
        <source>%1 clocks</source>
        <translation>%1 Takte</translation>
    </message>
    <message>
        <source>Waited %1 clocks for its pipeline</source>
        <translation>%1 Takte auf seine Pipeline gewartet</translation>
    </message>
    <message>
        <source>%1, iteration %2: %3 clocks</source>
        <translation>%1, Iteration %2: %3 Takte</translation>
    </message>
    <message>
        <source>Hatched: overhead</source>
        <translation>Schraffiert: Aufschlag</translation>
    </message>
</context>
<context>
    <name>blockscope::CodeView</name>
    <message>
        <source>%1: a click shows where it comes from</source>
        <translation>%1: ein Klick zeigt, woher das kommt</translation>
    </message>
</context>
<context>
    <name>blockscope::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Find an action, a step, a sample or a file</source>
        <translation>Aktion, Schritt, Beispiel oder Datei suchen</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>Befehl suchen</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Nothing is called that</source>
        <translation>Nichts heißt so</translation>
    </message>
</context>
<context>
    <name>blockscope::ComparePane</name>
    <message>
        <source>Initial program</source>
        <translation>Anfängliches Programm</translation>
    </message>
    <message>
        <source>Step %1 · rule %2</source>
        <translation>Schritt %1 · Regel %2</translation>
    </message>
    <message>
        <source> · snapshot</source>
        <translation> · Schnappschuss</translation>
    </message>
    <message>
        <source>%1 removed</source>
        <translation>%1 entfernt</translation>
    </message>
    <message>
        <source>%1 added</source>
        <translation>%1 hinzugekommen</translation>
    </message>
    <message>
        <source>%1 moved</source>
        <translation>%1 verschoben</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>%1 geändert</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>kein Unterschied</translation>
    </message>
    <message>
        <source>Picture of %1</source>
        <translation>Bild von %1</translation>
    </message>
    <message>
        <source>%1 (current)</source>
        <translation>%1 (aktuell)</translation>
    </message>
    <message>
        <source>Remove %1 from the comparison</source>
        <translation>%1 aus dem Vergleich nehmen</translation>
    </message>
    <message>
        <source>Remove from the comparison</source>
        <translation>Aus dem Vergleich nehmen</translation>
    </message>
    <message>
        <source>%1 bytes moved between global and local memory, %2 arithmetic operations, %3 bytes of local memory</source>
        <translation>%1 Bytes zwischen globalem und lokalem Speicher bewegt, %2 Rechenoperationen, %3 Bytes lokaler Speicher</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Buffered edges %1 · moves %2 · operations %3 · launches %4</source>
        <translation>Gepufferte Kanten %1 · bewegt %2 · Operationen %3 · Starts %4</translation>
    </message>
    <message>
        <source>%1 buffered · %2 · operations %3 · launches %4</source>
        <translation>%1 gepuffert · %2 · Operationen %3 · Starts %4</translation>
    </message>
    <message>
        <source>%1 buffered · %2 · launches %3</source>
        <translation>%1 gepuffert · %2 · Starts %3</translation>
    </message>
    <message>
        <source>%1 buffered · %2</source>
        <translation>%1 gepuffert · %2</translation>
    </message>
    <message>
        <source>A click on a number opens where it comes from.</source>
        <translation>Ein Klick auf eine Zahl öffnet, woher sie kommt.</translation>
    </message>
</context>
<context>
    <name>blockscope::CompareView</name>
    <message>
        <source>Comparison of states</source>
        <translation>Vergleich von Zuständen</translation>
    </message>
    <message>
        <source>Add a state to the comparison</source>
        <translation>Einen Zustand zum Vergleich hinzufügen</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Voriger</translation>
    </message>
    <message>
        <source>Previous difference</source>
        <translation>Voriger Unterschied</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Nächster</translation>
    </message>
    <message>
        <source>Next difference</source>
        <translation>Nächster Unterschied</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Show the whole pictures</source>
        <translation>Die ganzen Bilder zeigen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Show the current state alone</source>
        <translation>Den aktuellen Zustand allein zeigen</translation>
    </message>
    <message>
        <source>Add a state…</source>
        <translation>Zustand hinzufügen …</translation>
    </message>
    <message>
        <source>To the current state: %1</source>
        <translation>Zum aktuellen Zustand: %1</translation>
    </message>
    <message>
        <source>Marked against: %1</source>
        <translation>Markiert gegen: %1</translation>
    </message>
    <message>
        <source>No difference</source>
        <translation>Kein Unterschied</translation>
    </message>
    <message>
        <source>Differences: %1</source>
        <translation>Unterschiede: %1</translation>
    </message>
    <message>
        <source>Difference %1 of %2: %3</source>
        <translation>Unterschied %1 von %2: %3</translation>
    </message>
    <message>
        <source>Laying out the pictures</source>
        <translation>Die Bilder werden angeordnet</translation>
    </message>
    <message>
        <source>Four at most</source>
        <translation>Höchstens vier</translation>
    </message>
    <message>
        <source>At most four states stand side by side. Take one away (×) to add another.</source>
        <translation>Höchstens vier Zustände stehen nebeneinander. Nehmen Sie einen weg (×), um einen anderen hinzuzufügen.</translation>
    </message>
    <message>
        <source>A state to show beside the current one</source>
        <translation>Ein Zustand, der neben dem aktuellen gezeigt wird</translation>
    </message>
    <message>
        <source>All states stand here already. The next step adds one.</source>
        <translation>Alle Zustände stehen schon hier. Der nächste Schritt fügt einen hinzu.</translation>
    </message>
    <message>
        <source>Against: %1</source>
        <translation>Gegen: %1</translation>
    </message>
    <message>
        <source>The state compared is the current one.</source>
        <translation>Der verglichene Zustand ist der jetzige.</translation>
    </message>
</context>
<context>
    <name>blockscope::CostCharts</name>
    <message>
        <source>%1 per byte moved</source>
        <translation>%1 je bewegtem Byte</translation>
    </message>
    <message>
        <source>predicted %1: %2</source>
        <translation>vorhergesagt %1: %2</translation>
    </message>
    <message>
        <source>measured %1: %2</source>
        <translation>gemessen %1: %2</translation>
    </message>
    <message>
        <source>%1, %2: loads %3, stores %4</source>
        <translation>%1, %2: lädt %3, speichert %4</translation>
    </message>
    <message>
        <source>%1 others</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>Pearson of logarithms %1</source>
        <translation>Pearson der Logarithmen %1</translation>
    </message>
    <message>
        <source>Spearman %1</source>
        <translation>Spearman %1</translation>
    </message>
    <message>
        <source>mean error %1&#xa0;%</source>
        <translation>mittlerer Fehler %1&#xa0;%</translation>
    </message>
    <message>
        <source>regret of the model&apos;s pick %1&#xa0;%</source>
        <translation>Einbuße durch die Wahl des Modells %1&#xa0;%</translation>
    </message>
    <message>
        <source>Choose a device and a model to see predictions, or measure a state.</source>
        <translation>Wählen Sie ein Gerät und ein Modell, um Vorhersagen zu sehen, oder messen Sie einen Zustand.</translation>
    </message>
    <message>
        <source>Nothing is alive.</source>
        <translation>Nichts ist belegt.</translation>
    </message>
    <message>
        <source>Alive: %1 (%2)</source>
        <translation>Belegt: %1 (%2)</translation>
    </message>
    <message>
        <source>The program has no lines.</source>
        <translation>Das Programm hat keine Zeilen.</translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation>Noch nichts gemessen</translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation>Nichts zu vergleichen</translation>
    </message>
    <message>
        <source>Measure states to see how well the predictions fit.</source>
        <translation>Messen Sie Zustände, um zu sehen, wie gut die Vorhersagen passen.</translation>
    </message>
    <message>
        <source>%1: predicted %2, measured %3</source>
        <translation>%1: vorhergesagt %2, gemessen %3</translation>
    </message>
    <message>
        <source>How well predictions fit: a click opens what these are made of.</source>
        <translation>Wie gut die Vorhersagen passen: Ein Klick öffnet, woraus sich das ergibt.</translation>
    </message>
    <message>
        <source>A click opens where it comes from.</source>
        <translation>Ein Klick öffnet, woher es kommt.</translation>
    </message>
</context>
<context>
    <name>blockscope::CostPage</name>
    <message>
        <source>Baseline</source>
        <translation>Bezug</translation>
    </message>
    <message>
        <source>Ratios are against the selected row from now on</source>
        <translation>Verhältnisse beziehen sich ab jetzt auf die ausgewählte Zeile</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copies the table as CSV, with exact numbers</source>
        <translation>Kopiert die Tabelle als CSV, mit genauen Zahlen</translation>
    </message>
    <message>
        <source>Export...</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Writes the chart in front as SVG, PDF or PNG</source>
        <translation>Schreibt das Diagramm im Vordergrund als SVG, PDF oder PNG</translation>
    </message>
    <message>
        <source>What every state costs</source>
        <translation>Was jeder Zustand kostet</translation>
    </message>
    <message>
        <source>Formula and sizes</source>
        <translation>Formel und Größen</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>Größen</translation>
    </message>
    <message>
        <source>Measured.</source>
        <translation>Gemessen.</translation>
    </message>
    <message>
        <source>Export chart</source>
        <translation>Diagramm exportieren</translation>
    </message>
    <message>
        <source>Pictures (*.svg *.pdf *.png)</source>
        <translation>Bilder (*.svg *.pdf *.png)</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
    <message>
        <source>The table was copied.</source>
        <translation>Die Tabelle wurde kopiert.</translation>
    </message>
    <message>
        <source>Cancelled: what was measured before stays.</source>
        <translation>Abgebrochen: was vorher gemessen wurde, bleibt.</translation>
    </message>
    <message>
        <source>The ending has to be .svg, .pdf or .png.</source>
        <translation>Die Endung muss .svg, .pdf oder .png sein.</translation>
    </message>
    <message>
        <source>There is no such folder.</source>
        <translation>Diesen Ordner gibt es nicht.</translation>
    </message>
    <message>
        <source>The folder may be protected or full.</source>
        <translation>Der Ordner ist vielleicht geschützt oder voll.</translation>
    </message>
    <message>
        <source>%1 could not be written. %2</source>
        <translation>%1 konnte nicht geschrieben werden. %2</translation>
    </message>
    <message>
        <source>Device and measuring</source>
        <translation>Gerät und Messen</translation>
    </message>
    <message>
        <source>Shows what costs are of, and what measures: this page has no room for all of it</source>
        <translation>Zeigt, wovon die Kosten sind, und was misst: Für alles hat diese Seite keinen Platz</translation>
    </message>
    <message>
        <source>How well predictions fit</source>
        <translation>Wie gut die Vorhersagen passen</translation>
    </message>
</context>
<context>
    <name>blockscope::CostTable</name>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>Other block sizes may repeat less: Tune looks for them.</source>
        <translation>Andere Blockgrößen wiederholen vielleicht weniger: Abstimmen sucht sie.</translation>
    </message>
    <message>
        <source>The same as the baseline (%1)</source>
        <translation>Gleich dem Bezug (%1)</translation>
    </message>
    <message>
        <source>%1 against the baseline (%2)</source>
        <translation>%1 gegenüber dem Bezug (%2)</translation>
    </message>
    <message>
        <source>%1 (%2) against the baseline (%3)</source>
        <translation>%1 (%2) gegenüber dem Bezug (%3)</translation>
    </message>
    <message>
        <source>The baseline of ratios</source>
        <translation>Der Bezug der Verhältnisse</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Vorhergesagt</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>The initial program, snapshots, and states that are looked at or compared</source>
        <translation>Das anfängliche Programm, Schnappschüsse und Zustände, die angesehen oder verglichen werden</translation>
    </message>
    <message>
        <source>Time that the chosen model predicts on the chosen device</source>
        <translation>Zeit, die das gewählte Modell auf dem gewählten Gerät vorhersagt</translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation>Verhältnis</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>Bewegt</translation>
    </message>
    <message>
        <source>All bytes between global and local memory</source>
        <translation>Alle Bytes zwischen globalem und lokalem Speicher</translation>
    </message>
    <message>
        <source>Between</source>
        <translation>Dazwischen</translation>
    </message>
    <message>
        <source>Bytes stored to and loaded from buffers in between: what fusion removes</source>
        <translation>Bytes, die in Puffer dazwischen gespeichert und aus ihnen geladen werden: was Fusion entfernt</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Bytes loaded from program inputs</source>
        <translation>Bytes, die aus Eingaben des Programms geladen werden</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>Bytes stored to program outputs, and loaded from them</source>
        <translation>Bytes, die in Ausgaben des Programms gespeichert und aus ihnen geladen werden</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Matrix, vector and special operations</source>
        <translation>Matrix-, Vektor- und Spezialoperationen</translation>
    </message>
    <message>
        <source>Replicated</source>
        <translation>Wiederholt</translation>
    </message>
    <message>
        <source>All operations as a multiple of the unfused program&apos;s</source>
        <translation>Alle Operationen als Vielfaches derer des unverschmolzenen Programms</translation>
    </message>
    <message>
        <source>Intensity</source>
        <translation>Intensität</translation>
    </message>
    <message>
        <source>Operations per byte moved</source>
        <translation>Operationen je bewegtem Byte</translation>
    </message>
    <message>
        <source>Local</source>
        <translation>Lokal</translation>
    </message>
    <message>
        <source>The most that is alive at once in one processor&apos;s local memory</source>
        <translation>Was im lokalen Speicher eines Prozessors höchstens gleichzeitig belegt ist</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>Starts</translation>
    </message>
    <message>
        <source>Operators at the top level: one kernel each</source>
        <translation>Operatoren der obersten Ebene: je ein Kernel</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>The fewest parallel tasks of any launch</source>
        <translation>Die wenigsten parallelen Aufgaben eines Starts</translation>
    </message>
    <message>
        <source>Time as a multiple of the baseline&apos;s: of measured times if both are, else of predicted ones</source>
        <translation>Zeit als Vielfaches der Zeit des Bezugs: aus gemessenen Zeiten, wenn es beide gibt, sonst aus vorhergesagten</translation>
    </message>
    <message>
        <source>Median time on the device that is measured on, outputs checked first</source>
        <translation>Mediane Zeit auf dem Gerät, auf dem gemessen wird; die Ausgaben werden vorher geprüft</translation>
    </message>
    <message>
        <source>%1 against %2, measured</source>
        <translation>%1 gegen %2, gemessen</translation>
    </message>
    <message>
        <source>%1 against %2, predicted</source>
        <translation>%1 gegen %2, vorhergesagt</translation>
    </message>
    <message>
        <source>%1 (stale)</source>
        <translation>%1 (veraltet)</translation>
    </message>
</context>
<context>
    <name>blockscope::Costs</name>
    <message>
        <source>Start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Snapshot %1 · step %2</source>
        <translation>Schnappschuss %1 · Schritt %2</translation>
    </message>
    <message>
        <source>Snapshot %1</source>
        <translation>Schnappschuss %1</translation>
    </message>
    <message>
        <source>Not counted: that was cancelled. It goes on with the next step or choice.</source>
        <translation>Nicht gezählt: das wurde abgebrochen. Es geht mit dem nächsten Schritt oder der nächsten Auswahl weiter.</translation>
    </message>
    <message>
        <source>The states are being counted.</source>
        <translation>Die Zustände werden gerade gezählt.</translation>
    </message>
    <message>
        <source>Counting what the states cost</source>
        <translation>Es wird gezählt, was die Zustände kosten</translation>
    </message>
</context>
<context>
    <name>blockscope::CudaPage</name>
    <message>
        <source>CUDA</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>What the source is for. sm_80 and later use tensor cores for 16-bit types; f32 computes without them, on any card from sm_75 on.</source>
        <translation>Wofür der Quelltext ist. sm_80 und neuere nutzen Tensorkerne für 16-Bit-Typen; f32 rechnet ohne sie, auf jeder Karte ab sm_75.</translation>
    </message>
    <message>
        <source>Numerically safe</source>
        <translation>Numerisch sicher</translation>
    </message>
    <message>
        <source>The form in which no exponential overflows; measurements on a card always take it</source>
        <translation>Die Form, in der keine Exponentialfunktion überläuft; Messungen auf einer Karte nehmen sie immer</translation>
    </message>
    <message>
        <source>Tile library</source>
        <translation>Kachelbibliothek</translation>
    </message>
    <message>
        <source>Shows the library that the kernels call, in front of them</source>
        <translation>Zeigt die Bibliothek, die die Kernel aufrufen, vor ihnen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copies the whole source; Ctrl+C copies the selected part</source>
        <translation>Kopiert den ganzen Quelltext; Strg+C kopiert den markierten Teil</translation>
    </message>
    <message>
        <source>Save...</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Writes a file with a main() that checks and times the kernels; nvcc builds it</source>
        <translation>Schreibt eine Datei mit einem main(), das die Kernel prüft und misst; nvcc übersetzt sie</translation>
    </message>
    <message>
        <source>Compiled and measured</source>
        <translation>Übersetzt und gemessen</translation>
    </message>
    <message>
        <source>Compiled</source>
        <translation>Übersetzt</translation>
    </message>
    <message>
        <source>How it was measured</source>
        <translation>Wie gemessen wurde</translation>
    </message>
    <message>
        <source>Predicted and measured</source>
        <translation>Vorhergesagt und gemessen</translation>
    </message>
    <message>
        <source>Block sizes tried</source>
        <translation>Probierte Blockgrößen</translation>
    </message>
    <message>
        <source>Target: automatic</source>
        <translation>Ziel: automatisch</translation>
    </message>
    <message>
        <source>Target: %1</source>
        <translation>Ziel: %1</translation>
    </message>
    <message>
        <source> (this card)</source>
        <translation> (diese Karte)</translation>
    </message>
    <message>
        <source>Open a program or a sample to see its CUDA.</source>
        <translation>Öffnen Sie ein Programm oder ein Beispiel, um sein CUDA zu sehen.</translation>
    </message>
    <message>
        <source>Not compiled yet.</source>
        <translation>Noch nicht übersetzt.</translation>
    </message>
    <message>
        <source>Generating CUDA</source>
        <translation>CUDA wird erzeugt</translation>
    </message>
    <message>
        <source>There is nothing to compile.</source>
        <translation>Es gibt nichts zu übersetzen.</translation>
    </message>
    <message>
        <source>There is no CUDA for this state; each line says which operator it is, and why:</source>
        <translation>Für diesen Zustand gibt es kein CUDA; jede Zeile sagt, welcher Operator es ist und warum:</translation>
    </message>
    <message>
        <source>Without tensor cores, as the card&apos;s own target cannot have it: %1</source>
        <translation>Ohne Tensorkerne, da das eigene Ziel der Karte es nicht erlaubt: %1</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>Übersetzen</translation>
    </message>
    <message>
        <source>Waits no longer for the compiler</source>
        <translation>Wartet nicht länger auf den Compiler</translation>
    </message>
    <message>
        <source>Compiles the source and says what became of it: registers, spills, shared memory, occupancy</source>
        <translation>Übersetzt den Quelltext und sagt, was daraus wurde: Register, Auslagerungen, gemeinsamer Speicher, Auslastung</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Compiling for %1...</source>
        <translation>Wird für %1 übersetzt …</translation>
    </message>
    <message>
        <source>Compiling CUDA</source>
        <translation>CUDA wird übersetzt</translation>
    </message>
    <message>
        <source>There is nothing to copy.</source>
        <translation>Es gibt nichts zu kopieren.</translation>
    </message>
    <message>
        <source>The source is on the clipboard, with its tile library.</source>
        <translation>Der Quelltext ist mit seiner Kachelbibliothek in der Zwischenablage.</translation>
    </message>
    <message>
        <source>There is nothing to save.</source>
        <translation>Es gibt nichts zu speichern.</translation>
    </message>
    <message>
        <source>Save CUDA</source>
        <translation>CUDA speichern</translation>
    </message>
    <message>
        <source>CUDA (*.cu)</source>
        <translation>CUDA (*.cu)</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
    <message>
        <source>%1 could not be written.</source>
        <translation>%1 konnte nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>with registers and occupancy as compiled</source>
        <translation>mit Registern und Belegung wie kompiliert</translation>
    </message>
    <message>
        <source>Predicted for %1: %2 (%3)</source>
        <translation>Vorhergesagt für %1: %2 (%3)</translation>
    </message>
    <message>
        <source>with registers as expected before compiling</source>
        <translation>mit Registern, wie sie vor dem Übersetzen erwartet werden</translation>
    </message>
    <message>
        <source>tf32</source>
        <translation>tf32</translation>
    </message>
    <message>
        <source>Of arrays in float32: products by tensor cores, operands rounded to 11 bits, sums in float32</source>
        <translation>Für Felder in float32: Produkte durch Tensorkerne, Operanden auf 11 Bit gerundet, Summen in float32</translation>
    </message>
    <message>
        <source>In tf32 no time is predicted: descriptions of cards do not have its rate.</source>
        <translation>In tf32 wird keine Zeit vorhergesagt: Beschreibungen von Karten haben dessen Rate nicht.</translation>
    </message>
    <message>
        <source>%1: not measured yet.</source>
        <translation>%1: noch nicht gemessen.</translation>
    </message>
    <message>
        <source>%1: measuring failed: %2</source>
        <translation>%1: Messung gescheitert: %2</translation>
    </message>
    <message>
        <source>%1: measured %2</source>
        <translation>%1: gemessen %2</translation>
    </message>
</context>
<context>
    <name>blockscope::CudaReportView</name>
    <message>
        <source>Graphics cards...</source>
        <translation>Grafikkarten …</translation>
    </message>
    <message>
        <source>Says what was looked for, where, and how to install it</source>
        <translation>Sagt, was wo gesucht wurde und wie man es installiert</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Thread blocks</source>
        <translation>Threadblöcke</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>Register</translation>
    </message>
    <message>
        <source>Spilled</source>
        <translation>Ausgelagert</translation>
    </message>
    <message>
        <source>Shared memory</source>
        <translation>Gemeinsamer Speicher</translation>
    </message>
    <message>
        <source>At once</source>
        <translation>Zugleich</translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>As it is called in the source; click to see it and its operator</source>
        <translation>Wie er im Quelltext heißt; ein Klick zeigt ihn und seinen Operator</translation>
    </message>
    <message>
        <source>Of its launch</source>
        <translation>Seines Starts</translation>
    </message>
    <message>
        <source>Of a thread block</source>
        <translation>Eines Threadblocks</translation>
    </message>
    <message>
        <source>Of a thread; 255 is the most</source>
        <translation>Eines Threads; höchstens 255</translation>
    </message>
    <message>
        <source>Bytes of a thread for which there were no registers: they go through memory</source>
        <translation>Bytes eines Threads, für die es keine Register gab: Sie gehen durch den Speicher</translation>
    </message>
    <message>
        <source>Bytes of a thread block</source>
        <translation>Bytes eines Threadblocks</translation>
    </message>
    <message>
        <source>Thread blocks that a multiprocessor holds at once</source>
        <translation>Threadblöcke, die ein Multiprozessor zugleich hält</translation>
    </message>
    <message>
        <source>The share of a multiprocessor&apos;s threads that are then there</source>
        <translation>Der Anteil der Threads eines Multiprozessors, die dann da sind</translation>
    </message>
    <message>
        <source>Kernels as the compiler reports them</source>
        <translation>Kernel, wie der Compiler sie meldet</translation>
    </message>
    <message>
        <source>What the compiler said</source>
        <translation>Was der Compiler sagte</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s run-time compiler, NVRTC, was not found on this machine. The source can be saved and compiled elsewhere.</source>
        <translation>NVIDIAs Laufzeitcompiler NVRTC wurde auf diesem Rechner nicht gefunden. Der Quelltext kann gespeichert und anderswo übersetzt werden.</translation>
    </message>
    <message>
        <source>It does not compile for %1:</source>
        <translation>Es lässt sich nicht für %1 übersetzen:</translation>
    </message>
    <message>
        <source>Compiled for %1 in %2 by %3.</source>
        <translation>Für %1 in %2 übersetzt, von %3.</translation>
    </message>
    <message>
        <source>Smaller blocks, or more threads, need fewer registers.</source>
        <translation>Kleinere Blöcke oder mehr Threads brauchen weniger Register.</translation>
    </message>
    <message>
        <source>It does not fit a multiprocessor.</source>
        <translation>Er passt nicht auf einen Multiprozessor.</translation>
    </message>
    <message>
        <source>The compiler has a process of its own, so that nothing else is lost. Compile again; if it fails each time, smaller blocks or another version of NVRTC may help.</source>
        <translation>Der Compiler läuft in einem eigenen Prozess, sonst ist also nichts verloren. Noch einmal übersetzen; scheitert es jedes Mal, helfen vielleicht kleinere Blöcke oder eine andere Fassung von NVRTC.</translation>
    </message>
    <message>
        <source>Compiled for %1 before, in %2 by %3.</source>
        <translation>Schon früher für %1 in %2 von %3 übersetzt.</translation>
    </message>
</context>
<context>
    <name>blockscope::CurrentLinks</name>
    <message>
        <source>Finding what belongs to which operator</source>
        <translation>Es wird gesucht, was zu welchem Operator gehört</translation>
    </message>
</context>
<context>
    <name>blockscope::DerivationView</name>
    <message>
        <source>blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>launches</source>
        <translation>Starts</translation>
    </message>
    <message>
        <source>Amount</source>
        <translation>Menge</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>Term</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>Lines that the number sums</source>
        <translation>Zeilen, die in der Zahl summiert sind</translation>
    </message>
    <message>
        <source>Where numbers come from</source>
        <translation>Woher Zahlen kommen</translation>
    </message>
    <message>
        <source>Choose a number in the table to see its formula and what it sums.</source>
        <translation>Wählen Sie eine Zahl in der Tabelle, um ihre Formel zu sehen, und was sie summiert.</translation>
    </message>
    <message>
        <source>with %1</source>
        <translation>mit %1</translation>
    </message>
    <message>
        <source>divided by</source>
        <translation>geteilt durch</translation>
    </message>
    <message>
        <source>%1 more sizes</source>
        <translation>%1 weitere Größen</translation>
    </message>
    <message>
        <source>%1 more terms</source>
        <translation>%1 weitere Terme</translation>
    </message>
</context>
<context>
    <name>blockscope::DeviceNumbers</name>
    <message>
        <source>processors</source>
        <translation>Prozessoren</translation>
    </message>
    <message>
        <source>bandwidth of one instance</source>
        <translation>Bandbreite einer Instanz</translation>
    </message>
    <message>
        <source>instances: %1</source>
        <translation>Instanzen: %1</translation>
    </message>
    <message>
        <source>what one processor draws</source>
        <translation>was ein Prozessor allein bezieht</translation>
    </message>
    <message>
        <source>operations a clock and processor</source>
        <translation>Operationen je Takt und Prozessor</translation>
    </message>
    <message>
        <source>clock</source>
        <translation>Takt</translation>
    </message>
    <message>
        <source>peak = %1, as stated</source>
        <translation>Höchstrate = %1, wie angegeben</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>Höchstrate</translation>
    </message>
    <message>
        <source>No rate is listed for %1: that of %2 stands for it.</source>
        <translation>Für %1 ist keine Rate angegeben: Die von %2 steht dafür.</translation>
    </message>
    <message>
        <source>A click opens where it comes from.</source>
        <translation>Ein Klick öffnet, woher es kommt.</translation>
    </message>
    <message>
        <source>matrix and vector %1 %2</source>
        <translation>Matrix und Vektor %1 %2</translation>
    </message>
    <message>
        <source>matrix %1 %2</source>
        <translation>Matrix %1 %2</translation>
    </message>
    <message>
        <source>vector %1 %2</source>
        <translation>Vektor %1 %2</translation>
    </message>
    <message>
        <source>shared memory that one thread block may have</source>
        <translation>Shared Memory, das ein Thread-Block haben darf</translation>
    </message>
    <message>
        <source>capacity of one core</source>
        <translation>Kapazität eines Kerns</translation>
    </message>
    <message>
        <source>limit = %1 bytes</source>
        <translation>Grenze = %1 Bytes</translation>
    </message>
</context>
<context>
    <name>blockscope::DiagnosticsDialog</name>
    <message>
        <source>Looked for:</source>
        <translation>Gesucht wurde:</translation>
    </message>
    <message>
        <source>Any of these installs it:</source>
        <translation>Jeder dieser Befehle installiert es:</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s driver: not found, or without a card</source>
        <translation>NVIDIAs Treiber: nicht gefunden oder ohne Karte</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s driver: %1, for CUDA up to %2</source>
        <translation>NVIDIAs Treiber: %1, für CUDA bis %2</translation>
    </message>
    <message>
        <source>cuda%1: %2, %3, %4 multiprocessors, %5 MiB</source>
        <translation>cuda%1: %2, %3, %4 Multiprozessoren, %5 MiB</translation>
    </message>
    <message>
        <source>NVRTC, NVIDIA&apos;s run-time compiler: not found</source>
        <translation>NVRTC, NVIDIAs Laufzeitcompiler: nicht gefunden</translation>
    </message>
    <message>
        <source>Or set BLOCKSCOPE_NVRTC to the library or its folder.</source>
        <translation>Oder setzen Sie BLOCKSCOPE_NVRTC auf die Bibliothek oder ihren Ordner.</translation>
    </message>
    <message>
        <source>NVRTC, NVIDIA&apos;s run-time compiler: %1, version %2</source>
        <translation>NVRTC, NVIDIAs Laufzeitcompiler: %1, Version %2</translation>
    </message>
    <message>
        <source>Graphics cards</source>
        <translation>Grafikkarten</translation>
    </message>
    <message>
        <source>What was found, and where it was looked for</source>
        <translation>Was gefunden und wo gesucht wurde</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copies all of this, for a report or a search</source>
        <translation>Kopiert all dies, für eine Meldung oder eine Suche</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Neu suchen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Looking for NVIDIA&apos;s driver and compiler...</source>
        <translation>NVIDIAs Treiber und Compiler werden gesucht …</translation>
    </message>
    <message>
        <source>Looking for graphics cards</source>
        <translation>Grafikkarten werden gesucht</translation>
    </message>
    <message>
        <source>Everything is there: states can be compiled and measured on a graphics card.</source>
        <translation>Alles ist da: Zustände können übersetzt und auf einer Grafikkarte gemessen werden.</translation>
    </message>
    <message>
        <source>There is a graphics card, but its compiler is missing: CUDA is generated, but not compiled.</source>
        <translation>Es gibt eine Grafikkarte, aber ihr Compiler fehlt: CUDA wird erzeugt, aber nicht übersetzt.</translation>
    </message>
    <message>
        <source>There is no graphics card: CUDA is generated and compiled here, but cannot be run. Another machine with a card can measure, through ssh.</source>
        <translation>Es gibt keine Grafikkarte: CUDA wird hier erzeugt und übersetzt, kann aber nicht laufen. Ein anderer Rechner mit Karte kann über ssh messen.</translation>
    </message>
    <message>
        <source>There is neither a graphics card nor NVIDIA&apos;s compiler: CUDA is generated and can be saved. All else works without them.</source>
        <translation>Es gibt weder eine Grafikkarte noch NVIDIAs Compiler: CUDA wird erzeugt und kann gespeichert werden. Alles andere geht auch so.</translation>
    </message>
    <message>
        <source>This installs it:</source>
        <translation>Dieser Befehl installiert es:</translation>
    </message>
</context>
<context>
    <name>blockscope::Docks</name>
    <message>
        <source>Panels</source>
        <translation>Tafeln</translation>
    </message>
</context>
<context>
    <name>blockscope::Document</name>
    <message>
        <source>Unfold to what was found</source>
        <translation>Bis zum Gefundenen ausklappen</translation>
    </message>
    <message>
        <source>Fold map</source>
        <translation>Map einklappen</translation>
    </message>
    <message>
        <source>Unfold map</source>
        <translation>Map ausklappen</translation>
    </message>
    <message>
        <source>Compare states</source>
        <translation>Zustände vergleichen</translation>
    </message>
    <message>
        <source>Choose what to compare with</source>
        <translation>Vergleichszustand wählen</translation>
    </message>
    <message>
        <source>Change sizes</source>
        <translation>Größen ändern</translation>
    </message>
    <message>
        <source>Change the program</source>
        <translation>Programm ändern</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is still running. Wait for it, or cancel it.</source>
        <translation>„%1“ läuft noch. Warten Sie, oder brechen Sie ab.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; was dropped because the steps have changed meanwhile.</source>
        <translation>„%1“ wurde verworfen, weil sich die Schritte inzwischen geändert haben.</translation>
    </message>
    <message>
        <source>Go to the initial program</source>
        <translation>Zum anfänglichen Programm gehen</translation>
    </message>
    <message>
        <source>Go to step %1</source>
        <translation>Zu Schritt %1 gehen</translation>
    </message>
    <message>
        <source>Next step of the algorithm</source>
        <translation>Nächster Schritt des Algorithmus</translation>
    </message>
    <message>
        <source>Rule %1 no longer applies there. The list of matches shows where it does.</source>
        <translation>Regel %1 passt dort nicht mehr. Die Trefferliste zeigt, wo sie passt.</translation>
    </message>
    <message>
        <source>Apply rule %1</source>
        <translation>Regel %1 anwenden</translation>
    </message>
    <message>
        <source>Run the algorithm</source>
        <translation>Algorithmus ausführen</translation>
    </message>
    <message>
        <source>The algorithm&apos;s steps from here are there already; End goes to the last one.</source>
        <translation>Die Schritte des Algorithmus von hier sind schon da; Ende geht zum letzten.</translation>
    </message>
    <message>
        <source>The name is too long. Choose one of at most %1 bytes.</source>
        <translation>Der Name ist zu lang. Wählen Sie einen mit höchstens %1 Bytes.</translation>
    </message>
    <message>
        <source>Rename branch</source>
        <translation>Zweig umbenennen</translation>
    </message>
    <message>
        <source>The last branch cannot be deleted.</source>
        <translation>Der letzte Zweig kann nicht gelöscht werden.</translation>
    </message>
    <message>
        <source>Delete branch</source>
        <translation>Zweig löschen</translation>
    </message>
    <message>
        <source>The note is too long. A note may have %1 bytes.</source>
        <translation>Die Notiz ist zu lang. Eine Notiz darf %1 Bytes haben.</translation>
    </message>
    <message>
        <source>Edit note</source>
        <translation>Notiz ändern</translation>
    </message>
    <message>
        <source>Lay out afresh</source>
        <translation>Neu anordnen</translation>
    </message>
    <message>
        <source>Lay out like the step before</source>
        <translation>Anordnen wie den Schritt davor</translation>
    </message>
</context>
<context>
    <name>blockscope::EdgeCounts</name>
    <message>
        <source>Counting buffered edges</source>
        <translation>Gepufferte Kanten werden gezählt</translation>
    </message>
</context>
<context>
    <name>blockscope::EditorPanel</name>
    <message>
        <source>Problems of the program</source>
        <translation>Fehler des Programms</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Shows this program and runs the algorithm on it (Ctrl+Return)</source>
        <translation>Zeigt dieses Programm und führt den Algorithmus aus (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Apply the program</source>
        <translation>Programm anwenden</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Takes the document&apos;s program back into the editor</source>
        <translation>Holt das Programm des Dokuments zurück</translation>
    </message>
    <message>
        <source>Revert the edits</source>
        <translation>Änderungen verwerfen</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Shows the forms of the language</source>
        <translation>Zeigt die Formen der Sprache</translation>
    </message>
    <message>
        <source>Help on the language</source>
        <translation>Hilfe zur Sprache</translation>
    </message>
    <message>
        <source>Forms of the language</source>
        <translation>Formen der Sprache</translation>
    </message>
    <message>
        <source>a dimension: size / block size</source>
        <translation>eine Dimension: Größe / Blockgröße</translation>
    </message>
    <message>
        <source>a batch dimension; group: one that operands may share</source>
        <translation>eine Batch-Dimension; group: eine, die Operanden teilen dürfen</translation>
    </message>
    <message>
        <source>inputs and their element type</source>
        <translation>Eingaben und ihr Elementtyp</translation>
    </message>
    <message>
        <source>a causal mask, never read from memory</source>
        <translation>eine kausale Maske, nie aus dem Speicher gelesen</translation>
    </message>
    <message>
        <source>@ multiplies matrices, .T transposes, a dimension is its size</source>
        <translation>@ multipliziert Matrizen, .T transponiert, eine Dimension ist ihre Größe</translation>
    </message>
    <message>
        <source>what the program computes</source>
        <translation>was das Programm berechnet</translation>
    </message>
    <message>
        <source>norms of rows</source>
        <translation>Normen von Zeilen</translation>
    </message>
    <message>
        <source>functions of whole arrays</source>
        <translation>Funktionen ganzer Arrays</translation>
    </message>
    <message>
        <source>functions of elements, and many more</source>
        <translation>Funktionen von Elementen, und viele mehr</translation>
    </message>
    <message>
        <source>any other function of elements</source>
        <translation>jede andere Funktion von Elementen</translation>
    </message>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation>Zeile %1, Spalte %2: %3</translation>
    </message>
    <message>
        <source>%1 operators, %2 dimensions</source>
        <translation>%1 Operatoren, %2 Dimensionen</translation>
    </message>
    <message>
        <source>Applying...</source>
        <translation>Wird angewendet …</translation>
    </message>
    <message>
        <source>1 problem</source>
        <translation>1 Fehler</translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation>%1 Fehler</translation>
    </message>
    <message>
        <source>Edited, not applied</source>
        <translation>Geändert, nicht angewendet</translation>
    </message>
    <message>
        <source>Edit the program</source>
        <translation>Programm bearbeiten</translation>
    </message>
    <message>
        <source>There is no text: a block program was opened. What is typed here becomes a new program.</source>
        <translation>Es gibt keinen Text: ein Blockprogramm wurde geöffnet. Was hier geschrieben wird, wird ein neues Programm.</translation>
    </message>
    <message>
        <source>Applying the edits</source>
        <translation>Die Änderungen werden angewandt</translation>
    </message>
    <message>
        <source>Checking the program</source>
        <translation>Das Programm wird geprüft</translation>
    </message>
    <message>
        <source>Not checked: cancelled. &lt;a href=&quot;check&quot;&gt;Check again&lt;/a&gt;</source>
        <translation>Nicht geprüft: abgebrochen. &lt;a href=&quot;check&quot;&gt;Erneut prüfen&lt;/a&gt;</translation>
    </message>
    <message>
        <source>Cancelled: the selection does not light its lines.</source>
        <translation>Abgebrochen: Die Auswahl beleuchtet ihre Zeilen nicht.</translation>
    </message>
</context>
<context>
    <name>blockscope::ExportDialog</name>
    <message>
        <source>HTML page</source>
        <translation>HTML-Seite</translation>
    </message>
    <message>
        <source>DOT (Graphviz)</source>
        <translation>DOT (Graphviz)</translation>
    </message>
    <message>
        <source>&amp;Background</source>
        <translation>&amp;Hintergrund</translation>
    </message>
    <message>
        <source>&amp;Legend under the picture</source>
        <translation>&amp;Legende unter dem Bild</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>The whole picture</source>
        <translation>Das ganze Bild</translation>
    </message>
    <message>
        <source>What is seen</source>
        <translation>Was zu sehen ist</translation>
    </message>
    <message>
        <source>The derivation as a strip of pictures</source>
        <translation>Die Herleitung als Bildstreifen</translation>
    </message>
    <message>
        <source>The derivation as a page that steps</source>
        <translation>Die Herleitung als Seite zum Blättern</translation>
    </message>
    <message>
        <source>The graph for Graphviz</source>
        <translation>Der Graph für Graphviz</translation>
    </message>
    <message>
        <source>The block program</source>
        <translation>Das Blockprogramm</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Every step</source>
        <translation>Jeder Schritt</translation>
    </message>
    <message>
        <source>Snapshots only</source>
        <translation>Nur Schnappschüsse</translation>
    </message>
    <message>
        <source>&amp;What</source>
        <translation>&amp;Was</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>&amp;Format</translation>
    </message>
    <message>
        <source>&amp;Steps</source>
        <translation>&amp;Schritte</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>F&amp;arben</translation>
    </message>
    <message>
        <source>Sc&amp;ale</source>
        <translation>&amp;Maßstab</translation>
    </message>
    <message>
        <source>Save as...</source>
        <translation>Speichern unter …</translation>
    </message>
    <message>
        <source>The image would be too large. Choose a smaller scale, or SVG or PDF.</source>
        <translation>Das Bild würde zu groß. Wählen Sie einen kleineren Maßstab, oder SVG oder PDF.</translation>
    </message>
    <message>
        <source>Exported to %1</source>
        <translation>Nach %1 exportiert</translation>
    </message>
    <message>
        <source>Exporting %1</source>
        <translation>%1 wird exportiert</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>TikZ (LaTeX)</source>
        <translation>TikZ (LaTeX)</translation>
    </message>
    <message>
        <source>The circuit diagram</source>
        <translation>Das Schaltbild</translation>
    </message>
    <message>
        <source>This state</source>
        <translation>Dieser Zustand</translation>
    </message>
    <message>
        <source>The program</source>
        <translation>Das Programm</translation>
    </message>
    <message>
        <source>One algorithm</source>
        <translation>Ein Algorithmus</translation>
    </message>
    <message>
        <source>Step by step</source>
        <translation>Schritt für Schritt</translation>
    </message>
    <message>
        <source>C&amp;ircuit of</source>
        <translation>Schaltb&amp;ild von</translation>
    </message>
    <message>
        <source>There is no circuit step by step yet: open its panel first.</source>
        <translation>Es gibt noch kein Schaltbild Schritt für Schritt: Öffnen Sie zuerst seine Tafel.</translation>
    </message>
    <message>
        <source>The model</source>
        <translation>Das Modell</translation>
    </message>
    <message>
        <source>Pseudocode</source>
        <translation>Pseudocode</translation>
    </message>
    <message>
        <source>What is seen: %1</source>
        <translation>Was zu sehen ist: %1</translation>
    </message>
</context>
<context>
    <name>blockscope::Forecast</name>
    <message>
        <source>%1 of shared memory in a thread block</source>
        <translation>%1 Shared Memory in einem Thread-Block</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>%1 on %2: %3</source>
        <translation>%1 auf %2: %3</translation>
    </message>
    <message>
        <source>Before the first kernel</source>
        <translation>Vor dem ersten Kernel</translation>
    </message>
    <message>
        <source>Kernel %1 (%2)</source>
        <translation>Kernel %1 (%2)</translation>
    </message>
    <message>
        <source>%1 of %2 cache</source>
        <translation>%1 im %2-Cache</translation>
    </message>
    <message>
        <source>%1, the longest of %2</source>
        <translation>%1, das Längste von %2</translation>
    </message>
    <message>
        <source>%1, as they overlap, of %2</source>
        <translation>%1, da sie sich überlappen, aus %2</translation>
    </message>
    <message>
        <source>%1 more kernels</source>
        <translation>%1 weitere Kernel</translation>
    </message>
    <message>
        <source>Predicting times</source>
        <translation>Zeiten werden vorhergesagt</translation>
    </message>
    <message>
        <source>Not predicted: that was cancelled. It goes on with the next step or choice.</source>
        <translation>Nicht vorhergesagt: das wurde abgebrochen. Es geht mit dem nächsten Schritt oder der nächsten Auswahl weiter.</translation>
    </message>
    <message>
        <source>The time is being predicted.</source>
        <translation>Die Zeit wird vorhergesagt.</translation>
    </message>
</context>
<context>
    <name>blockscope::FoundRows</name>
    <message>
        <source>%1  in %2</source>
        <translation>%1  in %2</translation>
    </message>
</context>
<context>
    <name>blockscope::HistoryPanel</name>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Note of the current step</source>
        <translation>Notiz zum aktuellen Schritt</translation>
    </message>
    <message>
        <source>Run from here</source>
        <translation>Von hier ausführen</translation>
    </message>
    <message>
        <source>Runs the algorithm on from the current state.</source>
        <translation>Führt den Algorithmus vom aktuellen Zustand weiter aus.</translation>
    </message>
    <message>
        <source>New branch...</source>
        <translation>Neuer Zweig …</translation>
    </message>
    <message>
        <source>Apply another match here: the matches are listed.</source>
        <translation>Hier einen anderen Treffer anwenden: die Treffer sind aufgelistet.</translation>
    </message>
    <message>
        <source>Go here</source>
        <translation>Hierher gehen</translation>
    </message>
    <message>
        <source>Run the algorithm from here</source>
        <translation>Algorithmus von hier ausführen</translation>
    </message>
    <message>
        <source>New branch from here...</source>
        <translation>Neuer Zweig von hier …</translation>
    </message>
    <message>
        <source>Do not show beside the current state</source>
        <translation>Nicht neben dem aktuellen Zustand zeigen</translation>
    </message>
    <message>
        <source>Compare with the current state</source>
        <translation>Mit dem aktuellen Zustand vergleichen</translation>
    </message>
    <message>
        <source>Mark the listing&apos;s changes against this state</source>
        <translation>Änderungen im Listing gegen diesen Zustand markieren</translation>
    </message>
    <message>
        <source>Rename branch &quot;%1&quot;</source>
        <translation>Zweig „%1“ umbenennen</translation>
    </message>
    <message>
        <source>Delete branch &quot;%1&quot;</source>
        <translation>Zweig „%1“ löschen</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Note on step %1</source>
        <translation>Notiz zu Schritt %1</translation>
    </message>
    <message>
        <source>Compare with the current state (four stand there)</source>
        <translation>Mit dem aktuellen Zustand vergleichen (vier stehen schon da)</translation>
    </message>
    <message>
        <source>What is worth remembering of this step? Saved with the document.</source>
        <translation>Was ist an diesem Schritt merkenswert? Wird mit dem Dokument gespeichert.</translation>
    </message>
    <message>
        <source>Another match than the next one begins a branch: Enter applies it.</source>
        <translation>Ein anderer Treffer als der nächste beginnt einen Zweig: Enter wendet ihn an.</translation>
    </message>
</context>
<context>
    <name>blockscope::HistoryTree</name>
    <message>
        <source>Tree of states</source>
        <translation>Baum der Zustände</translation>
    </message>
    <message>
        <source>Name of the branch</source>
        <translation>Name des Zweiges</translation>
    </message>
    <message>
        <source>... %1 steps</source>
        <translation>… %1 Schritte</translation>
    </message>
    <message>
        <source>Initial program</source>
        <translation>Anfängliches Programm</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Current: %1</source>
        <translation>Aktuell: %1</translation>
    </message>
    <message>
        <source>Click to show these steps.</source>
        <translation>Klicken zeigt diese Schritte.</translation>
    </message>
</context>
<context>
    <name>blockscope::Journal</name>
    <message>
        <source>Changes are not kept for a recovery after a crash. %1</source>
        <translation>Änderungen werden nicht für eine Wiederherstellung nach einem Absturz aufbewahrt. %1</translation>
    </message>
</context>
<context>
    <name>blockscope::KernelTables</name>
    <message>
        <source>global memory</source>
        <translation>globaler Speicher</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>gemeinsamer Speicher</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>tensor cores</source>
        <translation>Tensorkerne</translation>
    </message>
    <message>
        <source>vector units</source>
        <translation>Vektoreinheiten</translation>
    </message>
    <message>
        <source>special functions</source>
        <translation>Spezialfunktionen</translation>
    </message>
    <message>
        <source>can be split along any axis</source>
        <translation>entlang jeder Achse teilbar</translation>
    </message>
    <message>
        <source>for each %1 of %2 (</source>
        <translation>für jedes %1 von %2 (</translation>
    </message>
    <message>
        <source>Double-click to type another size</source>
        <translation>Doppelklick, um eine andere Größe einzugeben</translation>
    </message>
    <message>
        <source>Type of %1</source>
        <translation>Typ von %1</translation>
    </message>
    <message>
        <source>Warpgroups that fit: %1.</source>
        <translation>Warpgruppen, die passen: %1.</translation>
    </message>
    <message>
        <source>Not even one warpgroup fits: smaller sizes are needed.</source>
        <translation>Nicht einmal eine Warpgruppe passt: Es braucht kleinere Größen.</translation>
    </message>
    <message>
        <source>Tensor cores bound it at %1 clocks; an iteration of all takes %2: they work %3 of the time.</source>
        <translation>Die Tensorkerne begrenzen es auf %1 Takte; eine Iteration aller braucht %2: Sie arbeiten %3 der Zeit.</translation>
    </message>
    <message>
        <source>Transfers do not bind it from g_%1 = %2 on; ideally it does %3 TFLOP/s.</source>
        <translation>Ab g_%1 = %2 begrenzen Transfers es nicht; bestenfalls schafft es %3 TFLOP/s.</translation>
    </message>
    <message>
        <source>Special functions may take %1 longer than they ideally do before the rest waits; ideally they idle %2 of the time.</source>
        <translation>Spezialfunktionen dürfen %1 länger brauchen als bestenfalls, bevor der Rest wartet; bestenfalls ruhen sie %2 der Zeit.</translation>
    </message>
    <message>
        <source>Tables of the kernel</source>
        <translation>Tabellen des Kernels</translation>
    </message>
    <message>
        <source>Clocks</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>Konfiguration</translation>
    </message>
    <message>
        <source>Pseudocode</source>
        <translation>Pseudocode</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>as many as fit</source>
        <translation>so viele, wie passen</translation>
    </message>
    <message>
        <source>Warpgroups</source>
        <translation>Warpgruppen</translation>
    </message>
    <message>
        <source>Warpgroups of a processor</source>
        <translation>Warpgruppen eines Prozessors</translation>
    </message>
    <message>
        <source>between warpgroups</source>
        <translation>zwischen Warpgruppen</translation>
    </message>
    <message>
        <source>within a warpgroup</source>
        <translation>in einer Warpgruppe</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>What overlaps: the iterations of several warpgroups, or those of one (Figures 36 and 37)</source>
        <translation>Was sich überlappt: die Iterationen mehrerer Warpgruppen oder die einer einzigen (Abbildungen 36 und 37)</translation>
    </message>
    <message>
        <source>Overhead of special functions</source>
        <translation>Aufschlag der Spezialfunktionen</translation>
    </message>
    <message>
        <source>How much longer special functions take than their clocks</source>
        <translation>Wie viel länger Spezialfunktionen brauchen als ihre Takte</translation>
    </message>
    <message>
        <source>Overhead of vector operations</source>
        <translation>Aufschlag der Vektoroperationen</translation>
    </message>
    <message>
        <source>How much longer vector operations take than their clocks</source>
        <translation>Wie viel länger Vektoroperationen brauchen als ihre Takte</translation>
    </message>
    <message>
        <source>In fragments</source>
        <translation>In Fragmenten</translation>
    </message>
    <message>
        <source>Threads work on what tensor cores hold, without shared memory between (FlashAttention-3)</source>
        <translation>Threads arbeiten an dem, was Tensorkerne halten, ohne gemeinsamen Speicher dazwischen (FlashAttention-3)</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>Operation</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>Größen</translation>
    </message>
    <message>
        <source>Symbol</source>
        <translation>Symbol</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Divides by</source>
        <translation>Teilbar durch</translation>
    </message>
    <message>
        <source>Limits of the device</source>
        <translation>Grenzen des Geräts</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Ebene</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Warpgroup</source>
        <translation>Warpgruppe</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>Variable</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>Achsen</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Is</source>
        <translation>Ist</translation>
    </message>
    <message>
        <source>Clocks per thread and part of the stream</source>
        <translation>Takte je Thread und Teil des Stroms</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Per clock</source>
        <translation>Je Takt</translation>
    </message>
    <message>
        <source>Analysing the kernel</source>
        <translation>Der Kernel wird analysiert</translation>
    </message>
    <message>
        <source>There is no kernel: %1</source>
        <translation>Es gibt keinen Kernel: %1</translation>
    </message>
    <message>
        <source>Export...</source>
        <translation>Exportieren ...</translation>
    </message>
    <message>
        <source>%1 could not be written. The ending has to be one of %2.</source>
        <translation>%1 konnte nicht geschrieben werden. Die Endung muss eine von %2 sein.</translation>
    </message>
    <message>
        <source>Pseudocode as a diagram</source>
        <translation>Pseudocode als Diagramm</translation>
    </message>
    <message>
        <source>nothing fits</source>
        <translation>nichts passt</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Each level has the groups, powers of two, that move least into it, within those of the level around it.</source>
        <translation>Jede Ebene hat die Gruppen, Zweierpotenzen, die am wenigsten in sie bewegen, innerhalb derer der Ebene darum.</translation>
    </message>
    <message>
        <source>%1 All together, Σ w H (Equation 2): %2.</source>
        <translation>%1 Alle zusammen, Σ w H (Gleichung 2): %2.</translation>
    </message>
    <message>
        <source>Levels</source>
        <translation>Ebenen</translation>
    </message>
    <message>
        <source>Levels with groups of their own</source>
        <translation>Ebenen mit eigenen Gruppen</translation>
    </message>
    <message>
        <source>Instances</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>Values held</source>
        <translation>Gehaltene Werte</translation>
    </message>
    <message>
        <source>Values moved</source>
        <translation>Bewegte Werte</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Analysing the diagram</source>
        <translation>Das Diagramm wird untersucht</translation>
    </message>
    <message>
        <source>The diagram is analysed as it is drawn. %1</source>
        <translation>Das Diagramm wird untersucht, wie es gezeichnet ist. %1</translation>
    </message>
    <message>
        <source>The algorithm on every level</source>
        <translation>Der Algorithmus auf jeder Ebene</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Übrig</translation>
    </message>
    <message>
        <source>Left per thread</source>
        <translation>Übrig je Thread</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
    <message>
        <source>Diagrams and tables (%1)</source>
        <translation>Diagramme und Tabellen (%1)</translation>
    </message>
    <message>
        <source>Without caches transfers bind it at every g_%1, as each row is streamed, too; ideally it does %2 TFLOP/s.</source>
        <translation>Ohne Zwischenspeicher begrenzen Transfers bei jedem g_%1, weil auch jede Zeile strömt; im Idealfall rechnet es %2 TFLOP/s.</translation>
    </message>
    <message>
        <source>With s_%1 above %2 some number of rows is enough.</source>
        <translation>Mit s_%1 über %2 reicht irgendeine Zahl von Zeilen.</translation>
    </message>
    <message>
        <source>Products are computed %1 times: groups and parts of the stream do again what does not have their axis.</source>
        <translation>Produkte werden %1-mal berechnet: Gruppen und Teile des Stroms rechnen noch einmal, was ihre Achse nicht hat.</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Write what this tab shows to a file: a diagram, or tables as CSV</source>
        <translation>Schreibt, was dieser Reiter zeigt, in eine Datei: ein Diagramm, oder Tabellen als CSV</translation>
    </message>
    <message>
        <source>Overhead: special functions</source>
        <translation>Mehraufwand: Spezialfunktionen</translation>
    </message>
    <message>
        <source> TB/s</source>
        <translation> TB/s</translation>
    </message>
    <message>
        <source>at no cost</source>
        <translation>kostenlos</translation>
    </message>
    <message>
        <source>Links between instances</source>
        <translation>Verbindungen zwischen Exemplaren</translation>
    </message>
    <message>
        <source>What links between instances of a level carry all together (Section 4.5)</source>
        <translation>Was Verbindungen zwischen Exemplaren einer Ebene zusammen befördern (Abschnitt 4.5)</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>Bandbreite</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>mindestens %1</translation>
    </message>
</context>
<context>
    <name>blockscope::Legend</name>
    <message>
        <source>Legend</source>
        <translation>Legende</translation>
    </message>
</context>
<context>
    <name>blockscope::ListingPanel</name>
    <message>
        <source>Listing</source>
        <translation>Listing</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>Verglichen mit</translation>
    </message>
    <message>
        <source>The state against which changed lines are marked</source>
        <translation>Der Zustand, gegen den geänderte Zeilen markiert sind</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>Entfernte</translation>
    </message>
    <message>
        <source>Shows the lines that are gone, struck through</source>
        <translation>Zeigt die Zeilen, die weg sind, durchgestrichen</translation>
    </message>
    <message>
        <source>Safe</source>
        <translation>Sicher</translation>
    </message>
    <message>
        <source>Shows the numerically safe form of this state</source>
        <translation>Zeigt die numerisch sichere Form dieses Zustands</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copies the whole listing; Ctrl+C copies the selected part</source>
        <translation>Kopiert das ganze Listing; Strg+C den ausgewählten Teil</translation>
    </message>
    <message>
        <source>Copy the listing</source>
        <translation>Listing kopieren</translation>
    </message>
    <message>
        <source>The listing is on the clipboard.</source>
        <translation>Das Listing ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>Snapshot %1, step %2</source>
        <translation>Schnappschuss %1, Schritt %2</translation>
    </message>
    <message>
        <source>1 line</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>%1 lines</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>+%1 added</source>
        <translation>+%1 hinzugekommen</translation>
    </message>
    <message>
        <source>−%1 removed</source>
        <translation>−%1 entfernt</translation>
    </message>
    <message>
        <source>~%1 changed</source>
        <translation>~%1 geändert</translation>
    </message>
    <message>
        <source>nothing changed</source>
        <translation>nichts geändert</translation>
    </message>
    <message>
        <source>Numerically safe form: this state has no exponential that could overflow, so nothing changes.</source>
        <translation>Numerisch sichere Form: Dieser Zustand hat keine Exponentialfunktion, die überlaufen könnte, also ändert sich nichts.</translation>
    </message>
    <message>
        <source>Numerically safe form: what an exponential reaches is kept as a significand and an exponent, so that nothing overflows. The picture shows the state without it.</source>
        <translation>Numerisch sichere Form: Was eine Exponentialfunktion erreicht, wird als Signifikand und Exponent gehalten, damit nichts überläuft. Das Bild zeigt den Zustand ohne sie.</translation>
    </message>
    <message>
        <source>Step before</source>
        <translation>Schritt davor</translation>
    </message>
    <message>
        <source>Initial program</source>
        <translation>Anfängliches Programm</translation>
    </message>
    <message>
        <source>Step %1, rule %2</source>
        <translation>Schritt %1, Regel %2</translation>
    </message>
    <message>
        <source>Writing the listing</source>
        <translation>Das Listing wird geschrieben</translation>
    </message>
    <message>
        <source>Writing the listing was cancelled. Any step asks for it again.</source>
        <translation>Das Schreiben des Listings wurde abgebrochen. Jeder Schritt verlangt es erneut.</translation>
    </message>
    <message>
        <source>%1, branch %2</source>
        <translation>%1, Zweig %2</translation>
    </message>
</context>
<context>
    <name>blockscope::MainWindow</name>
    <message>
        <source>Views</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Blockscope found a mistake of its own and stopped: %1</source>
        <translation>Blockscope hat einen eigenen Fehler gefunden und angehalten: %1</translation>
    </message>
    <message>
        <source>Blockscope</source>
        <translation>Blockscope</translation>
    </message>
    <message>
        <source>%1[*] - Blockscope</source>
        <translation>%1[*] – Blockscope</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Programs and documents (*.blockscope *.bp *.json);;All files (*)</source>
        <translation>Programme und Dokumente (*.blockscope *.bp *.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>Speichern unter</translation>
    </message>
    <message>
        <source>Blockscope documents (*.blockscope)</source>
        <translation>Blockscope-Dokumente (*.blockscope)</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>Gespeichert.</translation>
    </message>
    <message>
        <source>Save the changes of %1?</source>
        <translation>Änderungen an %1 speichern?</translation>
    </message>
    <message>
        <source>Steps, branches and notes that are not saved are lost.</source>
        <translation>Schritte, Zweige und Notizen, die nicht gespeichert sind, gehen verloren.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Do not save</source>
        <translation>Nicht speichern</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>About Blockscope</source>
        <translation>Über Blockscope</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Blockscope %1&lt;/h3&gt;&lt;p&gt;See AI operator fusion: the rules and the algorithm of the Blockbuster paper, step by step.&lt;/p&gt;&lt;p&gt;Apache License 2.0. Uses Qt %2 (LGPL 3) and Graphviz (EPL 1.0).&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Blockscope %1&lt;/h3&gt;&lt;p&gt;KI-Operatoren verschmelzen sehen: die Regeln und der Algorithmus des Blockbuster-Aufsatzes, Schritt für Schritt.&lt;/p&gt;&lt;p&gt;Apache-Lizenz 2.0. Benutzt Qt %2 (LGPL 3) und Graphviz (EPL 1.0).&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Rule %1</source>
        <translation>Regel %1</translation>
    </message>
    <message>
        <source>The initial program</source>
        <translation>Das anfängliche Programm</translation>
    </message>
    <message>
        <source>Go to step %1</source>
        <translation>Zu Schritt %1 gehen</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>Beispiel</translation>
    </message>
    <message>
        <source>Recent file</source>
        <translation>Letzte Datei</translation>
    </message>
    <message>
        <source>Sample circuit</source>
        <translation>Beispiel eines Schaltbilds</translation>
    </message>
    <message>
        <source>Times of this state&apos;s operators are not known here. Measure it on a processor: Costs, Measure this.</source>
        <translation>Zeiten der Operatoren dieses Zustands sind hier nicht bekannt. Messen Sie ihn auf einem Prozessor: Kosten, Diesen messen.</translation>
    </message>
    <message>
        <source>Saved, without the edits of the program: they are not applied.</source>
        <translation>Gespeichert, ohne die Änderungen am Programmtext: sie sind nicht übernommen.</translation>
    </message>
    <message>
        <source>%1 was changed by another program.</source>
        <translation>%1 wurde von einem anderen Programm geändert.</translation>
    </message>
    <message>
        <source>Saving here takes its changes away.</source>
        <translation>Speichern verwirft dessen Änderungen.</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>Überschreiben</translation>
    </message>
    <message>
        <source>Save as...</source>
        <translation>Speichern unter …</translation>
    </message>
    <message>
        <source>Steps, branches and notes that are not saved are lost. The program was edited, too, and the edits are not applied (Ctrl+E shows them): a document does not hold them.</source>
        <translation>Schritte, Zweige und Notizen, die nicht gespeichert sind, gehen verloren. Auch das Programm wurde bearbeitet, und die Änderungen sind nicht angewendet (Strg+E zeigt sie): Ein Dokument enthält sie nicht.</translation>
    </message>
    <message>
        <source>Of %1 files %2 is opened: the window has one document.</source>
        <translation>Von %1 Dateien wird %2 geöffnet: Das Fenster hat ein Dokument.</translation>
    </message>
</context>
<context>
    <name>blockscope::MarksLegend</name>
    <message>
        <source>What the marks mean</source>
        <translation>Was die Markierungen bedeuten</translation>
    </message>
</context>
<context>
    <name>blockscope::MatchFinder</name>
    <message>
        <source>Looking for matches</source>
        <translation>Treffer werden gesucht</translation>
    </message>
    <message>
        <source>Cancelled. Any step looks again.</source>
        <translation>Abgebrochen. Jeder Schritt sucht erneut.</translation>
    </message>
</context>
<context>
    <name>blockscope::MatchList</name>
    <message>
        <source>why not?</source>
        <translation>warum nicht?</translation>
    </message>
    <message>
        <source>next</source>
        <translation>als Nächstes</translation>
    </message>
    <message>
        <source>Matches of all rules</source>
        <translation>Treffer aller Regeln</translation>
    </message>
    <message>
        <source>Rule %1, %2, has no match; Enter asks why</source>
        <translation>Regel %1, %2, hat keinen Treffer; Eingabe fragt warum</translation>
    </message>
    <message>
        <source>Rule %1, %2, matches: %3</source>
        <translation>Regel %1, %2, Treffer: %3</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source> The algorithm takes this one next.</source>
        <translation> Diesen nimmt der Algorithmus als Nächstes.</translation>
    </message>
</context>
<context>
    <name>blockscope::Matches</name>
    <message>
        <source>Matches</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Filter of matches</source>
        <translation>Filter der Treffer</translation>
    </message>
    <message>
        <source>Number of matches</source>
        <translation>Zahl der Treffer</translation>
    </message>
    <message>
        <source>Looking for matches...</source>
        <translation>Treffer werden gesucht …</translation>
    </message>
    <message>
        <source>No rule applies to this state any more.</source>
        <translation>Auf diesen Zustand passt keine Regel mehr.</translation>
    </message>
    <message>
        <source>Matches: %1. Enter applies one.</source>
        <translation>Treffer: %1. Eingabe wendet einen an.</translation>
    </message>
    <message>
        <source>Matches shown: %1 of %2</source>
        <translation>Treffer gezeigt: %1 von %2</translation>
    </message>
</context>
<context>
    <name>blockscope::MeasureBar</name>
    <message>
        <source>Measure this</source>
        <translation>Diesen messen</translation>
    </message>
    <message>
        <source>Measure all</source>
        <translation>Alle messen</translation>
    </message>
    <message>
        <source>Measures every state of the table, one after the other</source>
        <translation>Misst jeden Zustand der Tabelle, einen nach dem anderen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Runs the current state and the one that it is compared with (else the baseline) in turn, and says how many times as long it takes</source>
        <translation>Führt den aktuellen Zustand und den, mit dem er verglichen wird (sonst die Basis), abwechselnd aus und sagt, wievielmal so lange er braucht</translation>
    </message>
    <message>
        <source>Tune</source>
        <translation>Abstimmen</translation>
    </message>
    <message>
        <source>Measures the current state at the block sizes that the caches are expected to like best</source>
        <translation>Misst den aktuellen Zustand mit den Blockgrößen, die den Caches vermutlich am besten liegen</translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation>Kalibrieren</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Ends the measuring; results that are there stay</source>
        <translation>Beendet das Messen; vorhandene Ergebnisse bleiben</translation>
    </message>
    <message>
        <source>Use these block sizes</source>
        <translation>Diese Blockgrößen verwenden</translation>
    </message>
    <message>
        <source>Gives the program the block sizes that were measured to be fastest</source>
        <translation>Gibt dem Programm die Blockgrößen, die gemessen am schnellsten waren</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Hides what was found; it stays in the results</source>
        <translation>Blendet aus, was gefunden wurde; in den Ergebnissen bleibt es</translation>
    </message>
    <message>
        <source>%1 of %2 · %3</source>
        <translation>%1 von %2 · %3</translation>
    </message>
    <message>
        <source> · about %1&#xa0;s left</source>
        <translation> · noch etwa %1&#xa0;s</translation>
    </message>
    <message>
        <source>Runs the current state on the device: checks it, then times it</source>
        <translation>Führt den aktuellen Zustand auf dem Gerät aus: prüft ihn, dann misst es die Zeit</translation>
    </message>
    <message>
        <source>Measures what the device is able to do, about 20 seconds, so that times can be predicted for it</source>
        <translation>Misst, was das Gerät leisten kann, etwa 20 Sekunden lang, damit Zeiten dafür vorhergesagt werden können</translation>
    </message>
</context>
<context>
    <name>blockscope::MeasurePlaces</name>
    <message>
        <source>This processor</source>
        <translation>Dieser Prozessor</translation>
    </message>
    <message>
        <source>Processor of %1</source>
        <translation>Prozessor von %1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Looking for devices</source>
        <translation>Geräte werden gesucht</translation>
    </message>
    <message>
        <source>%1 does not answer: %2 %3</source>
        <translation>%1 antwortet nicht: %2 %3</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no name of a machine.</source>
        <translation>„%1“ ist kein Name einer Maschine.</translation>
    </message>
</context>
<context>
    <name>blockscope::Measurements</name>
    <message>
        <source>%1 %2: median of %3 samples; the true median is between %4 and %5 (%6&#xa0;%)</source>
        <translation>%1 %2: Median von %3 Messwerten; der wahre Median liegt zwischen %4 und %5 (%6&#xa0;%)</translation>
    </message>
    <message>
        <source>Starting the worker</source>
        <translation>Das Hilfsprogramm wird gestartet</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>warm</source>
        <translation>warm</translation>
    </message>
    <message>
        <source>cold, caches flushed before each run</source>
        <translation>kalt, Caches vor jedem Lauf geleert</translation>
    </message>
    <message>
        <source>Checked: %1; error %2, allowed %3</source>
        <translation>Geprüft: %1; Fehler %2, erlaubt %3</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>%1, %2, threads: %3, %4</source>
        <translation>%1, %2, Threads: %3, %4</translation>
    </message>
    <message>
        <source>%1, load %2, clock %3</source>
        <translation>%1, Last %2, Takt %3</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>%1 and %2 take equally long as far as %3 pairs of runs can tell</source>
        <translation>%1 und %2 brauchen gleich lange, soweit %3 Paare von Läufen es zeigen</translation>
    </message>
    <message>
        <source>%1 takes %2 times as long as %3, run in turn %4 times</source>
        <translation>%1 braucht %2-mal so lange wie %3, %4-mal abwechselnd ausgeführt</translation>
    </message>
    <message>
        <source>(the true ratio is between %1 and %2, %3&#xa0;%)</source>
        <translation>(das wahre Verhältnis liegt zwischen %1 und %2, %3&#xa0;%)</translation>
    </message>
    <message>
        <source>Of %1 choices the present block sizes are fastest: %2</source>
        <translation>Von %1 Möglichkeiten sind die jetzigen Blockgrößen die schnellsten: %2</translation>
    </message>
    <message>
        <source>Fastest of %1 choices: %2, %3 instead of %4</source>
        <translation>Die schnellste von %1 Möglichkeiten: %2, %3 statt %4</translation>
    </message>
    <message>
        <source>Fastest of %1 choices: %2, %3</source>
        <translation>Die schnellste von %1 Möglichkeiten: %2, %3</translation>
    </message>
    <message>
        <source>multiprocessors: %1</source>
        <translation>Multiprozessoren: %1</translation>
    </message>
    <message>
        <source>cores: %1</source>
        <translation>Kerne: %1</translation>
    </message>
    <message>
        <source>Calibrated %1 (%2).</source>
        <translation>%1 ist kalibriert (%2).</translation>
    </message>
    <message>
        <source>Times are predicted for it from now on.</source>
        <translation>Zeiten werden von jetzt an dafür vorhergesagt.</translation>
    </message>
    <message>
        <source>%1 It was not added.</source>
        <translation>%1 Sie wurde nicht hinzugefügt.</translation>
    </message>
    <message>
        <source>%1 has nothing to measure on.</source>
        <translation>%1 hat nichts, worauf gemessen werden kann.</translation>
    </message>
    <message>
        <source>%1 answers: %2.</source>
        <translation>%1 antwortet: %2.</translation>
    </message>
    <message>
        <source>Times are measured on it from now on: %1.</source>
        <translation>Von jetzt an wird dort gemessen: %1.</translation>
    </message>
    <message>
        <source>Times are measured on &quot;%1&quot;, but predicted for %2: measure on &quot;%3&quot; to compare them.</source>
        <translation>Zeiten werden auf „%1“ gemessen, aber für %2 vorhergesagt: Messen Sie auf „%3“, um sie zu vergleichen.</translation>
    </message>
    <message>
        <source>To compare, choose the device that is measured on (&quot;%1&quot;) for predictions, too.</source>
        <translation>Zum Vergleichen wählen Sie das Gerät, auf dem gemessen wird („%1“), auch für Vorhersagen.</translation>
    </message>
    <message>
        <source>To compare, calibrate the device that is measured on (&quot;%1&quot;).</source>
        <translation>Zum Vergleichen kalibrieren Sie das Gerät, auf dem gemessen wird („%1“).</translation>
    </message>
    <message>
        <source>%1 is not here to be measured: its times are only predicted.</source>
        <translation>%1 ist nicht hier, um gemessen zu werden: Seine Zeiten sind nur vorhergesagt.</translation>
    </message>
    <message>
        <source>Calibrating</source>
        <translation>Kalibrieren</translation>
    </message>
    <message>
        <source>Measured in float32: processors take float32 and bf16 alone.</source>
        <translation>In float32 gemessen: Prozessoren nehmen nur float32 und bf16.</translation>
    </message>
    <message>
        <source>clock %1&#xa0;GHz</source>
        <translation>Takt %1&#xa0;GHz</translation>
    </message>
    <message>
        <source>, less than three quarters of its best all the while</source>
        <translation>, die ganze Zeit weniger als drei Viertel des höchsten</translation>
    </message>
    <message>
        <source>, samples at less than three quarters of its best left out: %1</source>
        <translation>, weggelassene Messungen bei weniger als drei Vierteln des höchsten: %1</translation>
    </message>
    <message>
        <source>, %1 runs a sample</source>
        <translation>, %1 Läufe je Messung</translation>
    </message>
    <message>
        <source>, an empty kernel takes %1</source>
        <translation>, ein leerer Kernel dauert %1</translation>
    </message>
    <message>
        <source>Times are measured with products in tf32, which no time is predicted for: descriptions of cards do not have its rate.</source>
        <translation>Gemessen wird mit Produkten in tf32, für die keine Zeit vorhergesagt wird: Beschreibungen von Karten haben deren Rate nicht.</translation>
    </message>
</context>
<context>
    <name>blockscope::Minimap</name>
    <message>
        <source>Overview</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>The whole picture. A click moves the view there.</source>
        <translation>Das ganze Bild. Ein Klick bewegt die Ansicht dorthin.</translation>
    </message>
    <message>
        <source>Overview: click or drag to move the view</source>
        <translation>Übersicht: Klicken oder Ziehen bewegt die Ansicht</translation>
    </message>
</context>
<context>
    <name>blockscope::ModelView</name>
    <message>
        <source>Performance models</source>
        <translation>Leistungsmodelle</translation>
    </message>
    <message>
        <source>Where the number comes from</source>
        <translation>Woher die Zahl kommt</translation>
    </message>
    <message>
        <source>Every number that is underlined says here where it comes from.</source>
        <translation>Jede unterstrichene Zahl sagt hier, woher sie kommt.</translation>
    </message>
</context>
<context>
    <name>blockscope::NumberView</name>
    <message>
        <source>on the roofline, predicted</source>
        <translation>im Roofline-Bild, vorhergesagt</translation>
    </message>
    <message>
        <source>on the roofline, measured</source>
        <translation>im Roofline-Bild, gemessen</translation>
    </message>
    <message>
        <source>beside the prediction</source>
        <translation>neben der Vorhersage</translation>
    </message>
    <message>
        <source>the edge from %1</source>
        <translation>die Kante von %1</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1: line %2, the whole kernel</source>
        <translation>%1: Zeile %2, der ganze Kernel</translation>
    </message>
    <message>
        <source>%1 = %2 (%3) · %4: line %5, %6</source>
        <translation>%1 = %2 (%3) · %4: Zeile %5, %6</translation>
    </message>
    <message>
        <source>No term of the model is caused here.</source>
        <translation>Kein Term des Modells hat hier seine Ursache.</translation>
    </message>
    <message>
        <source>%1, the sum of:</source>
        <translation>%1, die Summe von:</translation>
    </message>
    <message>
        <source>Times of single operators are measured on processors, when a state is measured.</source>
        <translation>Zeiten einzelner Operatoren werden auf Prozessoren gemessen, wenn ein Zustand gemessen wird.</translation>
    </message>
    <message>
        <source>Kernel %1 (%2): %3</source>
        <translation>Kernel %1 (%2): %3</translation>
    </message>
    <message>
        <source>Medians of warm runs with a clock after each top-level operator. All together: %1</source>
        <translation>Mediane warmer Läufe mit einer Uhr nach jedem Operator der obersten Ebene. Alle zusammen: %1</translation>
    </message>
    <message>
        <source>The whole takes %1: bringing inputs into their readers&apos; layout comes first.</source>
        <translation>Das Ganze dauert %1: davor werden Eingaben in die Anordnung ihrer Leser gebracht.</translation>
    </message>
    <message>
        <source>%1 = %2 / %3</source>
        <translation>%1 = %2 / %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1 for the work of %2 of the unfused program.</source>
        <translation>%1 für die Arbeit von %2 des unverschmolzenen Programms.</translation>
    </message>
</context>
<context>
    <name>blockscope::Opener</name>
    <message>
        <source>Saving %1</source>
        <translation>%1 wird gespeichert</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>unbenannt</translation>
    </message>
    <message>
        <source>Bringing back what was not saved</source>
        <translation>Nicht Gespeichertes wird zurückgeholt</translation>
    </message>
    <message>
        <source>The run goes on after these %1 steps: End, and End once more.</source>
        <translation>Der Lauf geht nach diesen %1 Schritten weiter: Ende, und noch einmal Ende.</translation>
    </message>
    <message>
        <source>The work that was not saved</source>
        <translation>Die nicht gespeicherte Arbeit</translation>
    </message>
</context>
<context>
    <name>blockscope::OutlinePanel</name>
    <message>
        <source>Outline</source>
        <translation>Gliederung</translation>
    </message>
    <message>
        <source>Maps and operators; a checked map is unfolded in the picture</source>
        <translation>Maps und Operatoren; eine angekreuzte Map ist im Bild ausgeklappt</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
</context>
<context>
    <name>blockscope::PictureView</name>
    <message>
        <source>Copying the picture</source>
        <translation>Bild wird kopiert</translation>
    </message>
    <message>
        <source>Show %1 levels</source>
        <translation>%1 Ebenen zeigen</translation>
    </message>
    <message>
        <source>Levels of maps to show (this state has %1)</source>
        <translation>Ebenen von Maps, die zu sehen sind (dieser Zustand hat %1)</translation>
    </message>
    <message>
        <source>Fold to depth</source>
        <translation>Bis zur Tiefe einklappen</translation>
    </message>
    <message>
        <source>Fold all maps</source>
        <translation>Alle Maps einklappen</translation>
    </message>
    <message>
        <source>Show one level</source>
        <translation>Eine Ebene zeigen</translation>
    </message>
    <message>
        <source>Show two levels</source>
        <translation>Zwei Ebenen zeigen</translation>
    </message>
    <message>
        <source>Show three levels</source>
        <translation>Drei Ebenen zeigen</translation>
    </message>
    <message>
        <source>Unfold all maps</source>
        <translation>Alle Maps ausklappen</translation>
    </message>
    <message>
        <source>The picture is on the clipboard.</source>
        <translation>Das Bild ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>Minimap</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Picture of the block program</source>
        <translation>Bild des Blockprogramms</translation>
    </message>
    <message>
        <source>Preview · Enter applies</source>
        <translation>Vorschau · Enter wendet an</translation>
    </message>
    <message>
        <source>Laying out the picture</source>
        <translation>Das Bild wird angeordnet</translation>
    </message>
    <message>
        <source>No picture</source>
        <translation>Kein Bild</translation>
    </message>
    <message>
        <source>Laying it out was cancelled. Any step asks for it again.</source>
        <translation>Das Anordnen wurde abgebrochen. Jeder Schritt verlangt es erneut.</translation>
    </message>
    <message>
        <source>Fold as before</source>
        <translation>Wie zuvor einklappen</translation>
    </message>
</context>
<context>
    <name>blockscope::PlaceChooser</name>
    <message>
        <source>Measured on</source>
        <translation>Gemessen auf</translation>
    </message>
    <message>
        <source>Another machine...</source>
        <translation>Anderer Rechner …</translation>
    </message>
    <message>
        <source>Looking for devices...</source>
        <translation>Geräte werden gesucht …</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Neu suchen</translation>
    </message>
    <message>
        <source>The device that programs are measured on</source>
        <translation>Das Gerät, auf dem Programme gemessen werden</translation>
    </message>
    <message>
        <source>No graphics card was found; Help &gt; Graphics cards says why.</source>
        <translation>Es wurde keine Grafikkarte gefunden; Hilfe &gt; Grafikkarten sagt, warum.</translation>
    </message>
    <message>
        <source>Another machine</source>
        <translation>Anderer Rechner</translation>
    </message>
    <message>
        <source>Its name as ssh knows it, HOST or USER@HOST. blockscope-cli has to be installed there, and ssh must not ask for a password.</source>
        <translation>Sein Name, wie ssh ihn kennt: RECHNER oder BENUTZER@RECHNER. Dort muss blockscope-cli installiert sein, und ssh darf nicht nach einem Passwort fragen.</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Forget machines that do not answer</source>
        <translation>Maschinen vergessen, die nicht antworten</translation>
    </message>
    <message>
        <source>%1 (does not answer)</source>
        <translation>%1 (antwortet nicht)</translation>
    </message>
</context>
<context>
    <name>blockscope::ProblemBar</name>
    <message>
        <source>Problems</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>List of problems</source>
        <translation>Liste der Fehler</translation>
    </message>
    <message>
        <source>Open in an editor</source>
        <translation>In einem Editor öffnen</translation>
    </message>
    <message>
        <source>Opens the file with the program that the desktop has for it.</source>
        <translation>Öffnet die Datei mit dem Programm, das die Arbeitsfläche dafür hat.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Reads the file again.</source>
        <translation>Liest die Datei noch einmal.</translation>
    </message>
    <message>
        <source>Open another file...</source>
        <translation>Andere Datei öffnen …</translation>
    </message>
    <message>
        <source>Chooses another file.</source>
        <translation>Wählt eine andere Datei.</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copies the problems to the clipboard.</source>
        <translation>Kopiert die Fehler in die Zwischenablage.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Hides this message.</source>
        <translation>Blendet diese Nachricht aus.</translation>
    </message>
    <message>
        <source>%1 cannot be opened.</source>
        <translation>%1 kann nicht geöffnet werden.</translation>
    </message>
    <message>
        <source>%1 cannot be opened. Problems found: %2.</source>
        <translation>%1 kann nicht geöffnet werden. Gefundene Fehler: %2.</translation>
    </message>
    <message>
        <source>Writes the file again.</source>
        <translation>Schreibt die Datei noch einmal.</translation>
    </message>
    <message>
        <source>Save as...</source>
        <translation>Speichern unter …</translation>
    </message>
    <message>
        <source>Saves the document under another name.</source>
        <translation>Speichert das Dokument unter einem anderen Namen.</translation>
    </message>
    <message>
        <source>%1 is not saved.</source>
        <translation>%1 ist nicht gespeichert.</translation>
    </message>
</context>
<context>
    <name>blockscope::ProgramEdit</name>
    <message>
        <source>Completions</source>
        <translation>Vervollständigungen</translation>
    </message>
</context>
<context>
    <name>blockscope::ProofBadge</name>
    <message>
        <source>Proof of this state</source>
        <translation>Beweis dieses Zustands</translation>
    </message>
    <message>
        <source>Proven: this state computes what the initial program computes.
Oracles: %1.</source>
        <translation>Bewiesen: Dieser Zustand berechnet, was das anfängliche Programm berechnet.
Orakel: %1.</translation>
    </message>
    <message>
        <source>Wrong: this state does not compute what the initial program computes. %1
Oracles: %2.</source>
        <translation>Falsch: Dieser Zustand berechnet nicht, was das anfängliche Programm berechnet. %1
Orakel: %2.</translation>
    </message>
    <message>
        <source>Too large to prove: %1 The structural verifier has accepted every step.</source>
        <translation>Zu groß für einen Beweis: %1 Der Strukturprüfer hat jeden Schritt angenommen.</translation>
    </message>
    <message>
        <source>Not proven yet: the proof runs in the background. The structural verifier has accepted every step.</source>
        <translation>Noch nicht bewiesen: Der Beweis läuft im Hintergrund. Der Strukturprüfer hat jeden Schritt angenommen.</translation>
    </message>
    <message>
        <source>%1. Prove again</source>
        <translation>%1. Erneut beweisen</translation>
    </message>
    <message>
        <source>Not proven: proving was cancelled. A click here proves this state and all others.
The structural verifier has accepted every step.</source>
        <translation>Nicht bewiesen: Das Beweisen wurde abgebrochen. Ein Klick hier beweist diesen Zustand und alle anderen.
Der Strukturprüfer hat jeden Schritt angenommen.</translation>
    </message>
</context>
<context>
    <name>blockscope::Proofs</name>
    <message>
        <source>Evaluating it would take %1 operations; the limit is %2.</source>
        <translation>Die Auswertung brauchte %1 Operationen; die Grenze ist %2.</translation>
    </message>
    <message>
        <source>Output %1 differs at element %2.</source>
        <translation>Ausgabe %1 ist an Element %2 anders.</translation>
    </message>
    <message>
        <source>It cannot be evaluated: %1</source>
        <translation>Es kann nicht ausgewertet werden: %1</translation>
    </message>
    <message>
        <source>Evaluating the initial program would take %1 operations.</source>
        <translation>Die Auswertung des anfänglichen Programms brauchte %1 Operationen.</translation>
    </message>
    <message>
        <source>The initial program cannot be evaluated: %1</source>
        <translation>Das anfängliche Programm kann nicht ausgewertet werden: %1</translation>
    </message>
    <message>
        <source>structural verifier; exact evaluation in finite fields at %1, seed %2</source>
        <translation>Strukturprüfer; exakte Auswertung in endlichen Körpern bei %1, Startwert %2</translation>
    </message>
    <message>
        <source>Proving the states</source>
        <translation>Die Zustände werden bewiesen</translation>
    </message>
</context>
<context>
    <name>blockscope::RecoveryBar</name>
    <message>
        <source>Work that was not saved</source>
        <translation>Arbeit, die nicht gespeichert war</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Opens the document as it was.</source>
        <translation>Öffnet das Dokument, wie es war.</translation>
    </message>
    <message>
        <source>Throw away</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Deletes what was not saved.</source>
        <translation>Löscht, was nicht gespeichert war.</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Asks again at the next start.</source>
        <translation>Fragt beim nächsten Start wieder.</translation>
    </message>
    <message>
        <source>a document without a file</source>
        <translation>ein Dokument ohne Datei</translation>
    </message>
    <message>
        <source>Blockscope ended before changes of %1 were saved (%2).</source>
        <translation>Blockscope endete, bevor Änderungen an %1 gespeichert waren (%2).</translation>
    </message>
</context>
<context>
    <name>blockscope::RepeatHint</name>
    <message>
        <source>%1 takes longer than the unfused program (%2 against %3, measured), as it does %4 times its operations at these block sizes. Others repeat less: Tune looks for them.</source>
        <translation>%1 braucht länger als das unverschmolzene Programm (%2 gegen %3, gemessen), denn es tut bei diesen Blockgrößen das %4-Fache seiner Operationen. Andere wiederholen weniger: Abstimmen sucht sie.</translation>
    </message>
    <message>
        <source>%1 takes longer than the unfused program (%2 against %3, predicted), as it does %4 times its operations at these block sizes. Others repeat less: Tune looks for them.</source>
        <translation>%1 braucht länger als das unverschmolzene Programm (%2 gegen %3, vorhergesagt), denn es tut bei diesen Blockgrößen das %4-Fache seiner Operationen. Andere wiederholen weniger: Abstimmen sucht sie.</translation>
    </message>
</context>
<context>
    <name>blockscope::RuleCard</name>
    <message>
        <source>Rule card</source>
        <translation>Regelkarte</translation>
    </message>
    <message>
        <source>Rule of the current step</source>
        <translation>Regel des aktuellen Schritts</translation>
    </message>
    <message>
        <source>Previous rule</source>
        <translation>Vorige Regel</translation>
    </message>
    <message>
        <source>Next rule</source>
        <translation>Nächste Regel</translation>
    </message>
    <message>
        <source>In this step</source>
        <translation>In diesem Schritt</translation>
    </message>
    <message>
        <source>When it applies</source>
        <translation>Wann sie passt</translation>
    </message>
    <message>
        <source>Why it preserves meaning</source>
        <translation>Warum sie die Bedeutung erhält</translation>
    </message>
    <message>
        <source>What it is good for</source>
        <translation>Wozu sie gut ist</translation>
    </message>
    <message>
        <source>In the paper</source>
        <translation>Im Aufsatz</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Rule %1</source>
        <translation>Regel %1</translation>
    </message>
    <message>
        <source>Blockbuster, section %1</source>
        <translation>Blockbuster, Abschnitt %1</translation>
    </message>
</context>
<context>
    <name>blockscope::RuleCombo</name>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>One rule or all of them</source>
        <translation>Eine Regel oder alle</translation>
    </message>
    <message>
        <source>All rules</source>
        <translation>Alle Regeln</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <translation>%1  %2</translation>
    </message>
</context>
<context>
    <name>blockscope::RulePicture</name>
    <message>
        <source>Picture of rule %1</source>
        <translation>Bild der Regel %1</translation>
    </message>
    <message>
        <source>Laying out the picture</source>
        <translation>Das Bild wird angeordnet</translation>
    </message>
</context>
<context>
    <name>blockscope::RunSlider</name>
    <message>
        <source>Position in the run</source>
        <translation>Stelle im Lauf</translation>
    </message>
    <message>
        <source>Buffered edges over the run; drag to go to any step.</source>
        <translation>Gepufferte Kanten über den Lauf; Ziehen führt zu jedem Schritt.</translation>
    </message>
</context>
<context>
    <name>blockscope::SearchPanel</name>
    <message>
        <source>Found nodes</source>
        <translation>Gefundene Knoten</translation>
    </message>
    <message>
        <source>exp   op:dot   type:block[M,N]   in:M   buffered</source>
        <translation>exp   op:dot   type:block[M,N]   in:M   buffered</translation>
    </message>
    <message>
        <source>Find nodes</source>
        <translation>Knoten suchen</translation>
    </message>
    <message>
        <source>Words that all have to match: parts of names and formulas, ids (n12), op:dot, type:f32, in:M, buffered</source>
        <translation>Wörter, die alle passen müssen: Teile von Namen und Formeln, Kennungen (n12), op:dot, type:f32, in:M, buffered</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>Regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>Nothing in this state matches.</source>
        <translation>Nichts in diesem Zustand passt.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 Treffer</translation>
    </message>
    <message>
        <source>%1 matches</source>
        <translation>%1 Treffer</translation>
    </message>
    <message>
        <source>It is read as it stands; .* reads it as a regular expression.</source>
        <translation>Der Text wird gelesen, wie er dasteht; .* liest ihn als regulären Ausdruck.</translation>
    </message>
</context>
<context>
    <name>blockscope::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Follow the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Counts from the next start on.</source>
        <translation>Gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source> ms a step</source>
        <translation> ms je Schritt</translation>
    </message>
    <message>
        <source>Speed of playing</source>
        <translation>Geschwindigkeit beim Abspielen</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Animate steps</source>
        <translation>Schritte bewegen</translation>
    </message>
    <message>
        <source>Blocks slide to their new places. Off wherever the system asks for less motion.</source>
        <translation>Blöcke gleiten an ihre neuen Plätze. Aus, wo das System weniger Bewegung wünscht.</translation>
    </message>
    <message>
        <source>Types on edges</source>
        <translation>Typen an Kanten</translation>
    </message>
    <message>
        <source>Written when the picture is close enough.</source>
        <translation>Werden gezeigt, wenn das Bild nah genug ist.</translation>
    </message>
    <message>
        <source>Keep a journal</source>
        <translation>Journal führen</translation>
    </message>
    <message>
        <source>Changes that are not saved come back after a crash.</source>
        <translation>Nicht gespeicherte Änderungen kommen nach einem Absturz zurück.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>blockscope::ShortcutSheet</name>
    <message>
        <source>Actions and shortcuts</source>
        <translation>Aktionen und Tastenkürzel</translation>
    </message>
    <message>
        <source>Find an action or a key</source>
        <translation>Aktion oder Taste suchen</translation>
    </message>
    <message>
        <source>Actions and their keys</source>
        <translation>Aktionen und ihre Tasten</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Was sie tut</translation>
    </message>
    <message>
        <source>No action fits.</source>
        <translation>Keine Aktion passt.</translation>
    </message>
</context>
<context>
    <name>blockscope::SizeSliders</name>
    <message>
        <source>Open a program to change its sizes.</source>
        <translation>Öffnen Sie ein Programm, um seine Größen zu ändern.</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Size of %1</source>
        <translation>Größe von %1</translation>
    </message>
    <message>
        <source>Block size of %1</source>
        <translation>Blockgröße von %1</translation>
    </message>
</context>
<context>
    <name>blockscope::SizesDelegate</name>
    <message>
        <source>Block size of %1</source>
        <translation>Blockgröße von %1</translation>
    </message>
    <message>
        <source>Size of %1</source>
        <translation>Größe von %1</translation>
    </message>
    <message>
        <source>Up and Down go from power to power of two; any number can be typed</source>
        <translation>Auf und Ab gehen von Zweierpotenz zu Zweierpotenz; jede Zahl kann getippt werden</translation>
    </message>
    <message>
        <source>1 is the least.</source>
        <translation>1 ist das Kleinste.</translation>
    </message>
    <message>
        <source>A block of %1 has %2 at most: the size of %1.</source>
        <translation>Ein Block von %1 hat höchstens %2: die Größe von %1.</translation>
    </message>
    <message>
        <source>The size of %1 is %2 at most.</source>
        <translation>Die Größe von %1 ist höchstens %2.</translation>
    </message>
</context>
<context>
    <name>blockscope::SizesModel</name>
    <message>
        <source>%1, last %2</source>
        <translation>%1, letzter %2</translation>
    </message>
    <message>
        <source>The block size does not divide the size: the last block is shorter.</source>
        <translation>Die Blockgröße teilt die Größe nicht: Der letzte Block ist kürzer.</translation>
    </message>
    <message>
        <source>%1 (batch)</source>
        <translation>%1 (Batch)</translation>
    </message>
    <message>
        <source>%1 (group)</source>
        <translation>%1 (Gruppe)</translation>
    </message>
    <message>
        <source>Dimension</source>
        <translation>Dimension</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>Blöcke</translation>
    </message>
</context>
<context>
    <name>blockscope::SizesPanel</name>
    <message>
        <source>Sizes of dimensions</source>
        <translation>Größen der Dimensionen</translation>
    </message>
    <message>
        <source>What this state costs</source>
        <translation>Was dieser Zustand kostet</translation>
    </message>
    <message>
        <source>Costs</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Initially</source>
        <translation>Anfangs</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>Größen</translation>
    </message>
    <message>
        <source>All sizes to the power of two below</source>
        <translation>Alle Größen auf die Zweierpotenz darunter</translation>
    </message>
    <message>
        <source>All sizes to the power of two above</source>
        <translation>Alle Größen auf die Zweierpotenz darüber</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>All block sizes to the power of two below</source>
        <translation>Alle Blockgrößen auf die Zweierpotenz darunter</translation>
    </message>
    <message>
        <source>All block sizes to the power of two above</source>
        <translation>Alle Blockgrößen auf die Zweierpotenz darüber</translation>
    </message>
    <message>
        <source>Counting what the state costs</source>
        <translation>Die Kosten des Zustands werden gezählt</translation>
    </message>
    <message>
        <source>Counting was cancelled. Any step or size asks for it again.</source>
        <translation>Das Zählen wurde abgebrochen. Jeder Schritt und jede Größe verlangt es erneut.</translation>
    </message>
</context>
<context>
    <name>blockscope::StartPage</name>
    <message>
        <source>Start page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>Blockscope</source>
        <translation>Blockscope</translation>
    </message>
    <message>
        <source>See AI operator fusion: open a program, then press Space for the next step.</source>
        <translation>KI-Operatoren verschmelzen sehen: Öffnen Sie ein Programm, dann bringt die Leertaste den nächsten Schritt.</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Letzte Dateien</translation>
    </message>
    <message>
        <source>Drop a file anywhere in this window to open it.</source>
        <translation>Lassen Sie eine Datei irgendwo in dieses Fenster fallen, um sie zu öffnen.</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Benchmark programs of the MCFuser paper</source>
        <translation>Vergleichsprogramme des MCFuser-Aufsatzes</translation>
    </message>
    <message>
        <source>Files that you open or save appear here.</source>
        <translation>Dateien, die Sie öffnen oder speichern, erscheinen hier.</translation>
    </message>
    <message>
        <source>Back to %1</source>
        <translation>Zurück zu %1</translation>
    </message>
</context>
<context>
    <name>blockscope::StatusBar</name>
    <message>
        <source>Status bar</source>
        <translation>Statusleiste</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Buffered edges</source>
        <translation>Gepufferte Kanten</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoom</translation>
    </message>
    <message>
        <source>Step %1 of %2, rule %3</source>
        <translation>Schritt %1 von %2, Regel %3</translation>
    </message>
    <message>
        <source>Before the first of %1 steps</source>
        <translation>Vor dem ersten von %1 Schritten</translation>
    </message>
    <message>
        <source>%1, snapshot</source>
        <translation>%1, Schnappschuss</translation>
    </message>
    <message>
        <source>Buffered edges: %1</source>
        <translation>Gepufferte Kanten: %1</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>There is no step yet</source>
        <translation>Es gibt noch keinen Schritt</translation>
    </message>
    <message>
        <source>Before the only step</source>
        <translation>Vor dem einzigen Schritt</translation>
    </message>
    <message>
        <source>%1, others not counted. &lt;a href=&quot;count&quot;&gt;Count again&lt;/a&gt;</source>
        <translation>%1, andere nicht gezählt. &lt;a href=&quot;count&quot;&gt;Erneut zählen&lt;/a&gt;</translation>
    </message>
    <message>
        <source>Buffered edges not counted. &lt;a href=&quot;count&quot;&gt;Count again&lt;/a&gt;</source>
        <translation>Gepufferte Kanten nicht gezählt. &lt;a href=&quot;count&quot;&gt;Erneut zählen&lt;/a&gt;</translation>
    </message>
</context>
<context>
    <name>blockscope::StepCaption</name>
    <message>
        <source>Before the first step</source>
        <translation>Vor dem ersten Schritt</translation>
    </message>
    <message>
        <source>Step %1 of %2 · rule %3: %4</source>
        <translation>Schritt %1 von %2 · Regel %3: %4</translation>
    </message>
    <message>
        <source> · %1 buffered edges</source>
        <translation> · %1 gepufferte Kanten</translation>
    </message>
    <message>
        <source> · %1 → %2 buffered edges</source>
        <translation> · %1 → %2 gepufferte Kanten</translation>
    </message>
    <message>
        <source> · 1 buffered edge</source>
        <translation> · 1 gepufferte Kante</translation>
    </message>
</context>
<context>
    <name>blockscope::StepCost</name>
    <message>
        <source>Loads %1 of inputs</source>
        <translation>Lädt %1 an Eingaben</translation>
    </message>
    <message>
        <source>Moves %1 of outputs</source>
        <translation>Bewegt %1 an Ausgaben</translation>
    </message>
    <message>
        <source>Moves %1 of intermediates</source>
        <translation>Bewegt %1 an Zwischenergebnissen</translation>
    </message>
    <message>
        <source>Takes %1</source>
        <translation>Braucht %1</translation>
    </message>
    <message>
        <source>Keeps at most %1 in local memory</source>
        <translation>Hält höchstens %1 in lokalem Speicher</translation>
    </message>
    <message>
        <source>Takes %1, as predicted</source>
        <translation>Dauert laut Vorhersage %1</translation>
    </message>
    <message>
        <source>Took %1</source>
        <translation>Dauerte %1</translation>
    </message>
    <message>
        <source>Does %1 the unfused program&apos;s operations</source>
        <translation>Tut %1 die Operationen des unverschmolzenen Programms</translation>
    </message>
    <message>
        <source>Has an intensity of %1</source>
        <translation>Hat eine Intensität von %1</translation>
    </message>
    <message>
        <source>Kernels launched: %1</source>
        <translation>Gestartete Kernel: %1</translation>
    </message>
    <message>
        <source>Parallel tasks at least: %1</source>
        <translation>Parallele Aufgaben mindestens: %1</translation>
    </message>
    <message>
        <source>Moves %1 between global and local memory</source>
        <translation>Bewegt %1 zwischen globalem und lokalem Speicher</translation>
    </message>
    <message>
        <source>%1, %2 less than before.</source>
        <translation>%1, %2 weniger als zuvor.</translation>
    </message>
    <message>
        <source>%1, %2 more than before.</source>
        <translation>%1, %2 mehr als zuvor.</translation>
    </message>
</context>
<context>
    <name>blockscope::StepsPanel</name>
    <message>
        <source>One step back</source>
        <translation>Einen Schritt zurück</translation>
    </message>
    <message>
        <source>What the circuit costs</source>
        <translation>Was das Schaltbild kostet</translation>
    </message>
    <message>
        <source>Axes of the circuit</source>
        <translation>Achsen des Schaltbilds</translation>
    </message>
    <message>
        <source>Axis</source>
        <translation>Achse</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Can be</source>
        <translation>Kann sein</translation>
    </message>
    <message>
        <source>What can be done with the axis, and why</source>
        <translation>Was mit der Achse möglich ist, und warum</translation>
    </message>
    <message>
        <source>Size of the parts</source>
        <translation>Größe der Teile</translation>
    </message>
    <message>
        <source>Values of the axis in one part</source>
        <translation>Werte der Achse in einem Teil</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppieren</translation>
    </message>
    <message>
        <source>Parts go to different processors</source>
        <translation>Teile gehen an verschiedene Prozessoren</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>Strömen</translation>
    </message>
    <message>
        <source>Parts come one after the other</source>
        <translation>Teile kommen nacheinander</translation>
    </message>
    <message>
        <source>Whole</source>
        <translation>Ganz</translation>
    </message>
    <message>
        <source>The axis is not split any more</source>
        <translation>Die Achse ist nicht mehr geteilt</translation>
    </message>
    <message>
        <source>States of the circuit</source>
        <translation>Zustände des Schaltbilds</translation>
    </message>
    <message>
        <source>Note of the circuit&apos;s state</source>
        <translation>Notiz zum Zustand des Schaltbilds</translation>
    </message>
    <message>
        <source>No program</source>
        <translation>Kein Programm</translation>
    </message>
    <message>
        <source>No circuit</source>
        <translation>Kein Schaltbild</translation>
    </message>
    <message>
        <source>grouped</source>
        <translation>gruppiert</translation>
    </message>
    <message>
        <source>streamed</source>
        <translation>strömend</translation>
    </message>
    <message>
        <source>One step of the circuit back</source>
        <translation>Schritt des Schaltbilds zurück</translation>
    </message>
    <message>
        <source>One step of the circuit on</source>
        <translation>Schritt des Schaltbilds weiter</translation>
    </message>
    <message>
        <source>One step on</source>
        <translation>Einen Schritt weiter</translation>
    </message>
    <message>
        <source>What is worth remembering of this state?</source>
        <translation>Was ist an diesem Zustand merkenswert?</translation>
    </message>
    <message>
        <source>Not compared with the picture: that was cancelled. It goes on with the next step.</source>
        <translation>Nicht mit dem Bild verglichen: das wurde abgebrochen. Es geht mit dem nächsten Schritt weiter.</translation>
    </message>
    <message>
        <source>Comparing the circuit with the picture</source>
        <translation>Das Schaltbild wird mit dem Bild verglichen</translation>
    </message>
</context>
<context>
    <name>blockscope::TimeNumbers</name>
    <message>
        <source>Regret of the model&apos;s pick: %1 is predicted to be fastest and takes %2; the fastest, %3, takes %4: %2 / %4 − 1 = %5</source>
        <translation>Einbuße durch die Wahl des Modells: %1 ist als schnellster vorhergesagt und braucht %2; der schnellste, %3, braucht %4: %2 / %4 − 1 = %5</translation>
    </message>
    <message>
        <source>%1 = %2 / %3</source>
        <translation>%1 = %2 / %3</translation>
    </message>
    <message>
        <source>The measured time of %1 over that of %2, the baseline.</source>
        <translation>Die gemessene Zeit von %1 durch die von %2, dem Vergleichszustand.</translation>
    </message>
    <message>
        <source>The predicted time of %1 over that of %2, the baseline.</source>
        <translation>Die vorhergesagte Zeit von %1 durch die von %2, dem Vergleichszustand.</translation>
    </message>
    <message>
        <source>%1: predicted %2 (rank %3), measured %4 (rank %5); error |%2 − %4| / %4 = %6</source>
        <translation>%1: vorhergesagt %2 (Rang %3), gemessen %4 (Rang %5); Fehler |%2 − %4| / %4 = %6</translation>
    </message>
    <message>
        <source>Pearson&apos;s coefficient, x and y the logarithms of the predicted and the measured seconds: %1</source>
        <translation>Koeffizient nach Pearson, x und y die Logarithmen der vorhergesagten und der gemessenen Sekunden: %1</translation>
    </message>
    <message>
        <source>Spearman&apos;s coefficient, x and y their ranks: %1</source>
        <translation>Koeffizient nach Spearman, x und y ihre Ränge: %1</translation>
    </message>
    <message>
        <source>Mean error: (%1) / %2 = %3</source>
        <translation>Mittlerer Fehler: (%1) / %2 = %3</translation>
    </message>
</context>
<context>
    <name>blockscope::Timeline</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Where in the run</source>
        <translation>Wo im Lauf</translation>
    </message>
    <message>
        <source>Speed of playing</source>
        <translation>Geschwindigkeit beim Abspielen</translation>
    </message>
    <message>
        <source>1 step/s</source>
        <translation>1 Schritt/s</translation>
    </message>
    <message>
        <source>%1 steps/s</source>
        <translation>%1 Schritte/s</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source> · %1 buffered edges</source>
        <translation> · %1 gepufferte Kanten</translation>
    </message>
    <message>
        <source>Step %1 of %2 so far</source>
        <translation>Schritt %1 von bisher %2</translation>
    </message>
</context>
<context>
    <name>blockscope::TimelineStrip</name>
    <message>
        <source>Steps of the branch</source>
        <translation>Schritte des Zweiges</translation>
    </message>
    <message>
        <source>The program before the first step</source>
        <translation>Das Programm vor dem ersten Schritt</translation>
    </message>
    <message>
        <source>Step %1: rule %2, %3</source>
        <translation>Schritt %1: Regel %2, %3</translation>
    </message>
    <message>
        <source>Place: %1</source>
        <translation>Ort: %1</translation>
    </message>
    <message>
        <source>Buffered edges: %1 → %2</source>
        <translation>Gepufferte Kanten: %1 → %2</translation>
    </message>
    <message>
        <source>A snapshot of the algorithm: no rule but an extension applies here.</source>
        <translation>Ein Schnappschuss des Algorithmus: Hier passt nur noch eine Erweiterung.</translation>
    </message>
    <message>
        <source>This state is %1.</source>
        <translation>Dieser Zustand ist %1.</translation>
    </message>
    <message>
        <source>Note: %1</source>
        <translation>Notiz: %1</translation>
    </message>
    <message>
        <source>Step %1 of %2, rule %3 in %4</source>
        <translation>Schritt %1 von %2, Regel %3 in %4</translation>
    </message>
    <message>
        <source>Before the first step</source>
        <translation>Vor dem ersten Schritt</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>top</source>
        <translation>oben</translation>
    </message>
    <message>
        <source>A double click on it opens its formula.</source>
        <translation>Ein Doppelklick darauf öffnet die Formel.</translation>
    </message>
    <message>
        <source>This state is %1, by %2.</source>
        <translation>Dieser Zustand ist %1, durch %2.</translation>
    </message>
    <message>
        <source>Its buffered edges are not counted yet.</source>
        <translation>Seine gepufferten Kanten sind noch nicht gezählt.</translation>
    </message>
</context>
<context>
    <name>blockscope::TuneView</name>
    <message>
        <source>Block sizes that were tried</source>
        <translation>Blockgrößen, die probiert wurden</translation>
    </message>
    <message>
        <source>Block sizes</source>
        <translation>Blockgrößen</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>Register</translation>
    </message>
    <message>
        <source>Spilled</source>
        <translation>Ausgelagert</translation>
    </message>
    <message>
        <source>Shared memory</source>
        <translation>Gemeinsamer Speicher</translation>
    </message>
    <message>
        <source>At once</source>
        <translation>Zugleich</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Vorhergesagt</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Tune searches for block sizes; every choice that it tries stands here, with its times.</source>
        <translation>„Abstimmen“ sucht nach Blockgrößen; jede, die es probiert, steht hier mit ihren Zeiten.</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>not possible</source>
        <translation>nicht möglich</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Searched at %1; the program has other sizes now. Tune searches again.</source>
        <translation>Gesucht bei %1; das Programm hat jetzt andere Größen. „Abstimmen“ sucht noch einmal.</translation>
    </message>
    <message>
        <source>Predicted: %1, by the search&apos;s own estimate of what moves through each cache and is computed: the device is not calibrated.</source>
        <translation>Vorhergesagt: %1, nach der eigenen Schätzung der Suche, was durch jeden Cache geht und gerechnet wird: Das Gerät ist nicht kalibriert.</translation>
    </message>
    <message>
        <source>Predicted: %1, by the model &quot;%2&quot;. Use these block sizes to see the terms of every kernel on the costs page.</source>
        <translation>Vorhergesagt: %1, nach dem Modell „%2“. Wer diese Blockgrößen verwendet, sieht die Terme jedes Kernels auf der Kostenseite.</translation>
    </message>
    <message>
        <source>Registers, spilled bytes and shared memory are the compiler&apos;s, of the kernel that has most; at once: the thread blocks that they leave room for on a multiprocessor, the fewest of any kernel.</source>
        <translation>Register, ausgelagerte Bytes und gemeinsamer Speicher sind die des Compilers, vom Kernel mit den meisten; zugleich: die Thread-Blöcke, für die sie auf einem Multiprozessor Platz lassen, die wenigsten aller Kernel.</translation>
    </message>
    <message>
        <source>Measured:</source>
        <translation>Gemessen:</translation>
    </message>
    <message>
        <source>Where the numbers of the row come from</source>
        <translation>Woher die Zahlen der Zeile kommen</translation>
    </message>
    <message>
        <source>Choose a row to see where its numbers come from.</source>
        <translation>Eine Zeile wählen, um zu sehen, woher ihre Zahlen kommen.</translation>
    </message>
</context>
<context>
    <name>blockscope::TypeChooser</name>
    <message>
        <source>Element type</source>
        <translation>Elementtyp</translation>
    </message>
    <message>
        <source>declared type</source>
        <translation>deklarierter Typ</translation>
    </message>
    <message>
        <source>The element type of everything: as the program declares, or another one. Processors keep inputs in float32 (or bf16, if that is chosen) and all else in float32.</source>
        <translation>Der Elementtyp von allem: wie vom Programm deklariert oder ein anderer. Prozessoren halten Eingaben in float32 (oder in bf16, wenn das gewählt ist) und alles andere in float32.</translation>
    </message>
</context>
<context>
    <name>blockscope::WhyView</name>
    <message>
        <source>It applies.</source>
        <translation>Sie passt.</translation>
    </message>
    <message>
        <source>Why not?</source>
        <translation>Warum nicht?</translation>
    </message>
    <message>
        <source>Selected nodes</source>
        <translation>Ausgewählte Knoten</translation>
    </message>
    <message>
        <source>Reasons</source>
        <translation>Gründe</translation>
    </message>
    <message>
        <source>Rule %1 applies when this holds: %2 Select the blocks in the picture that you mean: the first condition that fails is named here.</source>
        <translation>Regel %1 passt, wenn das gilt: %2 Wählen Sie im Bild die Blöcke aus, die Sie meinen: Hier steht die erste Bedingung, die nicht erfüllt ist.</translation>
    </message>
    <message>
        <source>Select one or more blocks in the picture: every rule then says here why it does not apply to them, and what stands in its way lights up.</source>
        <translation>Wählen Sie einen oder mehrere Blöcke im Bild aus: Jede Regel sagt dann hier, warum sie nicht passt, und was im Weg steht, leuchtet auf.</translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>Ausgewählt: %1</translation>
    </message>
    <message>
        <source>Rule %1: %2</source>
        <translation>Regel %1: %2</translation>
    </message>
    <message>
        <source>Asking every rule</source>
        <translation>Alle Regeln werden gefragt</translation>
    </message>
    <message>
        <source>Asking was cancelled. Select the blocks again to ask again.</source>
        <translation>Das Fragen wurde abgebrochen. Wählen Sie die Blöcke noch einmal aus, um erneut zu fragen.</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
</context>
<context>
    <name>blockscope::WorkBar</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>In progress</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>Erneut</translation>
    </message>
</context>
<context>
    <name>blockscope::WorkStrip</name>
    <message>
        <source>In the background</source>
        <translation>Im Hintergrund</translation>
    </message>
    <message>
        <source>In progress</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>stepping</name>
    <message>
        <source>top level</source>
        <translation>oberste Ebene</translation>
    </message>
    <message>
        <source>proven</source>
        <translation>bewiesen</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>falsch</translation>
    </message>
    <message>
        <source>too large to prove</source>
        <translation>zu groß für einen Beweis</translation>
    </message>
    <message>
        <source>not proven yet</source>
        <translation>noch nicht bewiesen</translation>
    </message>
    <message>
        <source>not proven: cancelled</source>
        <translation>nicht bewiesen: abgebrochen</translation>
    </message>
</context>
</TS>
