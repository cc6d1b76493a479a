/**
 * One run: {@link org.fedometer.analysis.report.RunReport} is worked out from its folder, {@link
 * org.fedometer.analysis.report.TextReport} writes it for people and {@link
 * org.fedometer.analysis.report.JsonReport} for programs.
 */
package org.fedometer.analysis.report;
