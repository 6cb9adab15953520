"""Write reports on recorded runs of any problem, as HTML pages with tables and figures."""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index

if TYPE_CHECKING:
    from divergent.reports._report import report as report

_HOMES = {"report": "_report"}
__all__ = list(_HOMES)
__getattr__, __dir__ = lazy_index(__name__, _HOMES)
