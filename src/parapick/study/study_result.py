"""What a study gives: its folder with all designs, its best ones, and what holds them back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from parapick.study.reading import Study
from parapick.study.store import Store

if TYPE_CHECKING:
    from parapick.answer import Answer, Table
    from parapick.study.best_robots import BestRobots


@final
@dataclass(frozen=True, eq=False, repr=False)
class StudyResult:
    """A study that was run.

    Attributes:
        study: the study.
        store: its folder, with the table of all designs.
    """

    study: Study
    store: Store

    @property
    def ok(self) -> bool:
        """Whether a design keeps every requirement."""
        return self.answer().ok

    def answer(self, robots: BestRobots | None = None) -> Answer:
        """The best designs, and what holds them back.

        Args:
            robots: the files of its best robots, see `write_robots`; none if not given.
        """
        from parapick.study.result import study_answer

        return study_answer(self.study, self.store) if robots is None else study_answer(self.study, self.store, robots)

    def write_robots(self) -> BestRobots:
        """Write the best robots as files into the folder, as many as the study asks for.

        Raises:
            ParapickError: a file cannot be written.
        """
        from parapick.study.best_robots import write_best_robots

        return write_best_robots(self.study, self.store)

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "best" or "front".
        """
        return self.answer().table(name)

    def __repr__(self) -> str:
        return f"<StudyResult of {self.study.file.name} in {self.store.folder}>"

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()
