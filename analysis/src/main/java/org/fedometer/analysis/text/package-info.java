/** What is written for a terminal: its width and colours, and text of others made safe to print. */
package org.fedometer.analysis.text;
