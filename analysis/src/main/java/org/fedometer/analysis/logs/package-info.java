/** Log lines of a run, by level, time, logger and object. */
package org.fedometer.analysis.logs;
