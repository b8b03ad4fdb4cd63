// What stands in reports/html/: the style and the script of the HTML report.
#ifndef TOSAIC_REPORTS_HTML_ASSETS_H_
#define TOSAIC_REPORTS_HTML_ASSETS_H_

namespace tosaic {

extern const char kReportCss[];
extern const char kReportJs[];

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_HTML_ASSETS_H_
