"""Results as files, one format a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.export.br_project import (
        ExportedProject as ExportedProject,
        export_br as export_br,
    )
    from parapick.export.c.law import (
        CLaw as CLaw,
        check_law as check_law,
    )
    from parapick.export.c.plant import (
        CellPlant as CellPlant,
        cell_plant as cell_plant,
    )
    from parapick.export.c.project import (
        ExportedC as ExportedC,
        export_c as export_c,
    )
    from parapick.export.c.supervised_law import (
        SupervisedLaw as SupervisedLaw,
        supervised_law as supervised_law,
    )
    from parapick.export.cam import (
        write_cam as write_cam,
    )
    from parapick.export.cam_table import (
        cam_table as cam_table,
    )
    from parapick.export.linuxcnc import (
        ExportedController as ExportedController,
        export_linuxcnc as export_linuxcnc,
    )
    from parapick.export.map_table import (
        map_csv as map_csv,
        write_map_parquet as write_map_parquet,
    )
    from parapick.export.mjcf_answer import (
        mjcf_answer as mjcf_answer,
    )
    from parapick.export.numbers import (
        write_numbers as write_numbers,
        write_numbers_file as write_numbers_file,
    )
    from parapick.export.record import (
        RECORD_FILES as RECORD_FILES,
        RecordFileError as RecordFileError,
        read_record as read_record,
        write_csv as write_csv,
        write_parquet as write_parquet,
        write_record as write_record,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "br_project": "ExportedProject export_br",
        "c.law": "CLaw check_law",
        "c.plant": "CellPlant cell_plant",
        "c.project": "ExportedC export_c",
        "c.supervised_law": "SupervisedLaw supervised_law",
        "cam": "write_cam",
        "cam_table": "cam_table",
        "linuxcnc": "ExportedController export_linuxcnc",
        "map_table": "map_csv write_map_parquet",
        "mjcf_answer": "mjcf_answer",
        "numbers": "write_numbers write_numbers_file",
        "record": "RECORD_FILES RecordFileError read_record write_csv write_parquet write_record",
    },
)
