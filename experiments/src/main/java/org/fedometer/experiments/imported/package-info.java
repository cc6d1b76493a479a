/**
 * Reads what other tools have measured: durations one a line, JMeter's results, YCSB's raw data.
 * Knows nothing of runs and collectors; {@code ImportJob} makes a run of what comes out here.
 */
package org.fedometer.experiments.imported;
