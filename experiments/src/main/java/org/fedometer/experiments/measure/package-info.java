/**
 * The part of a job that talks to Fedora: {@link org.fedometer.experiments.measure.MeasuredIngest}
 * counts, loads, flushes, verifies and records each result.
 */
package org.fedometer.experiments.measure;
