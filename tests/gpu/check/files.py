"""Results in files that are whole or not there: a piece may be ended at any moment."""
import json
import os


def write_whole(file, text):
    partial = file.with_name(file.name + ".part")
    partial.write_text(text)
    os.replace(partial, file)


def read_whole(file):
    """What a JSON file holds; None if there is none, or it is not JSON."""
    try:
        return json.loads(file.read_text())
    except (OSError, ValueError):
        return None
