/**
 * Statistics for comparing long ingest runs: pure functions on arrays and records, seeded and
 * deterministic, safe on any thread. Independent of run folders, stores and files. {@link
 * org.fedometer.analysis.statistics.Series} is the input, {@link
 * org.fedometer.analysis.statistics.SteadyState} determines the relevant part of a run, {@link
 * org.fedometer.analysis.statistics.Comparison} compares profiles.
 */
package org.fedometer.analysis.statistics;
