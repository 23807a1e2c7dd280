"""Which robot to build: studies of many designs from a file, run on one computer or many, resumable at any time."""

from __future__ import annotations

from parapick.study.designs import evaluated
from parapick.study.errors import FolderError, StudyError, StudyFileError, UnknownStudyError
from parapick.study.files import load_study
from parapick.study.measures import MEASURES, Measure
from parapick.study.reading import Study, read_study, study_schema
from parapick.study.result import StudyRows, study_answer
from parapick.study.running import Progress, run_study
from parapick.study.space import Dependent, Free, Space
from parapick.study.status import status_answer
from parapick.study.store import Store
from parapick.study.work import Requirement, Work

__all__ = [
    "MEASURES",
    "Dependent",
    "FolderError",
    "Free",
    "Measure",
    "Progress",
    "Requirement",
    "Space",
    "Store",
    "Study",
    "StudyError",
    "StudyFileError",
    "StudyRows",
    "UnknownStudyError",
    "Work",
    "evaluated",
    "load_study",
    "read_study",
    "run_study",
    "status_answer",
    "study_answer",
    "study_schema",
]
