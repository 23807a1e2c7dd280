"""A workbench for fast pick-and-place parallel robots.

The public names are listed here and fetched from their rooms on first use, so `import parapick` costs next to nothing
and a program pays only for the libraries it needs. Every verb takes a shipped name, a path or a value; what it gives
has `ok`, `answer()` and `table(name)`; see the page "API" of the documentation.
"""

from __future__ import annotations

from parapick.deferred import defer, front

# As `typing.TYPE_CHECKING`, without its module: the command line is ready for Ctrl-C the sooner.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from parapick import capability as capability, control as control, errors as errors
    from parapick.accuracy import (
        tolerance as tolerance,
    )
    from parapick.analysis import (
        Analysis as Analysis,
        analyse as analyse,
    )
    from parapick.answer import (
        Answer as Answer,
        Requirement as Requirement,
        Table as Table,
    )
    from parapick.belts import (
        PickPlan as PickPlan,
        plan as plan,
    )
    from parapick.capability import (
        IndexMap as IndexMap,
        IndexOptions as IndexOptions,
        WorkspaceMap as WorkspaceMap,
        capability_at as capability_at,
        index_map as index_map,
        workspace as workspace,
    )
    from parapick.control import (
        Controller as Controller,
        list_controllers as list_controllers,
        load_controller as load_controller,
    )
    from parapick.evaluation import (
        Comparison as Comparison,
        Evaluation as Evaluation,
        compare as compare,
        evaluate as evaluate,
    )
    from parapick.exchange import (
        ImportedRobot as ImportedRobot,
        import_br as import_br,
    )
    from parapick.export import (
        ExportedC as ExportedC,
        ExportedProject as ExportedProject,
        export_br as export_br,
        export_c as export_c,
    )
    from parapick.identification import (
        Identification as Identification,
        Log as Log,
        identify as identify,
        read_log as read_log,
    )
    from parapick.mechanism import (
        Payload as Payload,
    )
    from parapick.model import (
        Model as Model,
        Reach as Reach,
        all_doubts as all_doubts,
    )
    from parapick.motion import (
        Motion as Motion,
        adept_cycle as adept_cycle,
        hold as hold,
    )
    from parapick.operation import (
        SupervisedRun as SupervisedRun,
        supervise as supervise,
    )
    from parapick.papers import (
        Reproduction as Reproduction,
        reproduce as reproduce,
    )
    from parapick.progress import (
        Progress as Progress,
    )
    from parapick.report import (
        write_report as write_report,
    )
    from parapick.result_files import (
        plot as plot,
        save as save,
    )
    from parapick.robots import (
        list_robots as list_robots,
        load as load,
    )
    from parapick.simulation import (
        Record as Record,
        simulate as simulate,
    )
    from parapick.sizing import (
        Sizing as Sizing,
        size as size,
    )
    from parapick.study import (
        Study as Study,
        StudyResult as StudyResult,
        list_studies as list_studies,
        load_study as load_study,
        run_study as run_study,
    )
    from parapick.tasks import (
        Task as Task,
        fastest as fastest,
        list_tasks as list_tasks,
        load_task as load_task,
    )
    from parapick.tuning import (
        Tuning as Tuning,
        Tunings as Tunings,
        tune as tune,
    )
    from parapick.verification import (
        Verification as Verification,
        verify as verify,
    )

defer("casadi")

__version__ = "0.1.0"

# Public names by the room that has them, and the rooms that are public as a whole: `pp.control.PD`.
__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "accuracy": "tolerance",
        "analysis": "Analysis analyse",
        "answer": "Answer Requirement Table",
        "belts": "PickPlan plan",
        "capability": "IndexMap IndexOptions WorkspaceMap capability_at index_map workspace",
        "control": "Controller list_controllers load_controller",
        "evaluation": "Comparison Evaluation compare evaluate",
        "exchange": "ImportedRobot import_br",
        "export": "ExportedC ExportedProject export_br export_c",
        "identification": "Identification Log identify read_log",
        "mechanism": "Payload",
        "model": "Model Reach all_doubts",
        "motion": "Motion adept_cycle hold",
        "operation": "SupervisedRun supervise",
        "papers": "Reproduction reproduce",
        "progress": "Progress",
        "report": "write_report",
        "result_files": "plot save",
        "robots": "list_robots load",
        "simulation": "Record simulate",
        "sizing": "Sizing size",
        "study": "Study StudyResult list_studies load_study run_study",
        "tasks": "Task fastest list_tasks load_task",
        "tuning": "Tuning Tunings tune",
        "verification": "Verification verify",
    },
    rooms="capability control errors",
)
