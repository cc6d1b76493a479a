/**
 * What a report is made of, whether a terminal or a page shows it: sections of tables and
 * sentences, each declared once.
 */
package org.fedometer.analysis.section;
