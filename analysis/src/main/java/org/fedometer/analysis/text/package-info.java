/**
 * What is written for a terminal: its width and colours, tables, and text of others made safe to
 * print.
 */
package org.fedometer.analysis.text;
