"""Write the verdicts on the documents' printed numbers as they come out now; look at the difference afterwards."""

from __future__ import annotations

from pathlib import Path

from parapick.files import write_text
from parapick.papers import DOCUMENTS
from parapick.papers.reproduction import Reproduction, expected_text, printed_numbers
from parapick.papers.setup import Setup

FILE = Path(__file__).parents[1] / "src" / "parapick" / "papers" / "expected.toml"


def main() -> None:
    """Compute all documents and write the file."""
    found = {}
    for key, document in DOCUMENTS.items():
        setup = Setup()
        found[key] = Reproduction(document, printed_numbers(document, setup), (), (), setup)
    write_text(FILE, expected_text(found))


if __name__ == "__main__":
    main()
