/**
 * The statistics of comparing long ingest runs: pure functions over arrays and records, seeded and
 * deterministic, safe on any thread. It knows no run folder, no store and no file. {@link
 * org.fedometer.analysis.statistics.Series} is what goes in, {@link
 * org.fedometer.analysis.statistics.Steadiness} says which part of a run counts, {@link
 * org.fedometer.analysis.statistics.Comparison} how two profiles differ.
 */
package org.fedometer.analysis.statistics;
