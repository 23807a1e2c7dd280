"""Which robot to build: studies of many designs from a file, run on one computer or many, resumable at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.study.account import (
        Shortfall as Shortfall,
        run_shortfall as run_shortfall,
    )
    from parapick.study.best_robots import (
        BestRobots as BestRobots,
        write_best_robots as write_best_robots,
    )
    from parapick.study.design_space import (
        Dependent as Dependent,
        DesignSpace as DesignSpace,
    )
    from parapick.study.designs import (
        USE as USE,
        SiftedDesigns as SiftedDesigns,
        evaluated as evaluated,
        sifted_designs as sifted_designs,
    )
    from parapick.study.errors import (
        FolderError as FolderError,
        StudyError as StudyError,
        StudyFileError as StudyFileError,
        UnknownStudyError as UnknownStudyError,
    )
    from parapick.study.executors import (
        cluster as cluster,
    )
    from parapick.study.files import (
        STUDIES as STUDIES,
        StudyEntry as StudyEntry,
        list_studies as list_studies,
        load_study as load_study,
    )
    from parapick.study.methods import (
        round_of as round_of,
    )
    from parapick.study.motion_fold import (
        Sharing as Sharing,
        TaskSeries as TaskSeries,
        motion_fold as motion_fold,
    )
    from parapick.study.reading import (
        Study as Study,
        read_study as read_study,
    )
    from parapick.study.result import (
        study_answer as study_answer,
    )
    from parapick.study.running import (
        run_study as run_study,
    )
    from parapick.study.status import (
        status_answer as status_answer,
    )
    from parapick.study.store import (
        Store as Store,
    )
    from parapick.study.study_measures import (
        STUDY_MEASURES as STUDY_MEASURES,
        StudyMeasure as StudyMeasure,
    )
    from parapick.study.study_result import (
        StudyResult as StudyResult,
    )
    from parapick.study.study_rows import (
        StudyRows as StudyRows,
    )
    from parapick.study.task_series import (
        motion_series as motion_series,
    )
    from parapick.study.work import (
        Work as Work,
        is_lossless as is_lossless,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "account": "Shortfall run_shortfall",
        "best_robots": "BestRobots write_best_robots",
        "design_space": "Dependent DesignSpace",
        "designs": "SiftedDesigns USE evaluated sifted_designs",
        "errors": "FolderError StudyError StudyFileError UnknownStudyError",
        "executors": "cluster",
        "files": "STUDIES StudyEntry list_studies load_study",
        "methods": "round_of",
        "motion_fold": "Sharing TaskSeries motion_fold",
        "reading": "Study read_study",
        "result": "study_answer",
        "running": "run_study",
        "status": "status_answer",
        "store": "Store",
        "study_measures": "STUDY_MEASURES StudyMeasure",
        "study_result": "StudyResult",
        "study_rows": "StudyRows",
        "task_series": "motion_series",
        "work": "Work is_lossless",
    },
)
