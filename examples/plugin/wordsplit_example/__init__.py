"""Example plug-ins for wordsplit. The entry points in pyproject.toml are all that makes them known."""
