/**
 * Reports on one run: {@link org.fedometer.analysis.report.RunReport} is computed from its folder,
 * {@link org.fedometer.analysis.report.TextReport} formats it as text and {@link
 * org.fedometer.analysis.report.JsonReport} as JSON.
 */
package org.fedometer.analysis.report;
