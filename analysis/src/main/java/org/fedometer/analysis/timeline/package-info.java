/**
 * Runs' timelines for charts: {@link org.fedometer.analysis.timeline.RunTimeline} is computed from
 * a run's tables, {@link org.fedometer.analysis.timeline.TimelineJson} writes it for a page. Reads
 * the store, changes nothing in it.
 */
package org.fedometer.analysis.timeline;
