"""Write the verdicts on the documents' printed numbers as they come out now; look at the difference afterwards."""

from __future__ import annotations

from parapick.files import write_text
from parapick.papers import DOCUMENTS, Reproduction, Setup
from parapick.papers.document import document_file
from parapick.papers.reproduction import VERDICTS, print_outcomes, verdicts_file_text


def main() -> None:
    """Compute all documents and write the file of each."""
    for key, document in DOCUMENTS.items():
        setup = Setup()
        computed = Reproduction(document, print_outcomes(document, setup), (), (), setup)
        write_text(document_file(key, VERDICTS), verdicts_file_text(computed))


if __name__ == "__main__":
    main()
