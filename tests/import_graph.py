"""The imports of the package, read from its sources: deferred ones and those for type checkers included."""

import ast
from pathlib import Path

SRC = Path(__file__).parents[1] / "src"
FILES = {
    ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((SRC / "wordsplit").rglob("*.py"))
}


def imports_of(module):
    """The modules of the package that a module imports; not the packages that it is in."""
    path = FILES[module]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(_known(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative imports are not used here"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in FILES else _known(node.module))
    return {name for name in found if name and name != module and not module.startswith(f"{name}.")}


def _known(name):
    while name and name not in FILES:
        name = name.rpartition(".")[0]
    return name


def reached_from(modules):
    """The modules, all that they import, and the packages that those are in, except for the public face."""
    found, todo = set(), list(modules)
    while todo:
        module = todo.pop()
        if module not in found:
            found.add(module)
            todo += imports_of(module)
            package = module.rpartition(".")[0]
            if package not in ("", "wordsplit"):
                todo.append(package)
    return found


def circles():
    """The sets of modules that import each other in a circle."""
    graph = {module: imports_of(module) for module in FILES}
    order, seen = [], set()

    def visit(module):
        if module not in seen:
            seen.add(module)
            for other in graph[module]:
                visit(other)
            order.append(module)

    for module in graph:
        visit(module)
    back = {module: {other for other in graph if module in graph[other]} for module in graph}
    found, seen = [], set()
    for module in reversed(order):
        group, todo = set(), [module]
        while todo:
            one = todo.pop()
            if one not in seen:
                seen.add(one)
                group.add(one)
                todo += back[one]
        if len(group) > 1:
            found.append(sorted(group))
    return found
