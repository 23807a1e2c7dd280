"""`parapick study`: run a study of many designs, and look how far it is."""

from __future__ import annotations

from typing import Annotated, Final

from cyclopts import App, Parameter

from parapick.cli.arguments import Count, Json
from parapick.cli.groups import SEARCH
from parapick.cli.outputs import FOLDER, Output, Outputs, contents, out_parameter, written_in
from parapick.cli.progress import watched
from parapick.cli.tables import note

OUTPUTS: Final = Outputs(
    Output("results", "the results into this folder; one that holds a part of this study is gone on with", (FOLDER,))
)

study = App(name="study", help_format="plaintext")


@study.command
def run(
    file: Annotated[str, Parameter(help="A shipped study, or the path of a TOML file.")],
    /,
    *,
    out: Annotated[str, out_parameter(OUTPUTS)],
    method: Annotated[str | None, Parameter(group=SEARCH, metavar="NAME")] = None,
    workers: Annotated[Count, Parameter(group=SEARCH)] = None,
    cluster: Annotated[str | None, Parameter(group=SEARCH, metavar="ADDRESS")] = None,
    as_json: Json = False,
) -> int:
    """Run a study, or what is left of it: its table, its page, its best robots, what holds them back.

    Args:
        file: A shipped study, or the path of a TOML file.
        out: Folder of the results.
        method: One of the study's methods: grid, sobol, gradient or tpe; its first if not given.
        workers: Processes of this computer; if not given, one per processor after some seconds of work.
        cluster: Address of a Dask scheduler whose workers are used instead, such as tcp://10.0.0.1:8786.
        as_json: Print one JSON document instead.
    """
    from contextlib import nullcontext

    from parapick.cli.printing import print_answer
    from parapick.report import write_study_page
    from parapick.study import cluster as workers_of, load_study, run_study

    described = load_study(file)
    described.method(method)
    (folder,) = (target.path for target in OUTPUTS.targets([out]).of("results"))
    before = contents(folder)
    with (
        watched(described.file.name, noted=True) as progress,
        workers_of(cluster) if cluster else nullcontext() as executor,
    ):
        result = run_study(
            described, folder, method=method, executor=executor, workers=workers, progress=progress, note=note
        )
        robots = result.write_robots()
        answer = result.answer(robots)
    store = result.store
    page = write_study_page(described, store, answer)
    files = {"page": page, "table": store.table, **{path.stem: path for path in robots.files}}
    return print_answer(answer, as_json=as_json, files=written_in(before, files))


@study.command
def status(folder: Annotated[str, Parameter(help="Folder of a study.")], /, *, as_json: Json = False) -> int:
    """How far a study is, at which rate, and the best design so far.

    Args:
        folder: Folder of a study.
        as_json: Print one JSON document instead.
    """
    from parapick.cli.printing import print_answer
    from parapick.study import status_answer

    return print_answer(status_answer(folder), as_json=as_json)
