"""Write reports on recorded runs of any problem, as HTML pages with tables and figures."""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index

if TYPE_CHECKING:
    from divergent.reports._report import report as report

__getattr__, __dir__, __all__ = lazy_index(
    __name__,
    {
        "_report": ("report",),
    },
)  # fmt: skip
