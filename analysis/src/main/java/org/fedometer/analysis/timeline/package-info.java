/**
 * How a run went, reduced to what a picture can show: {@link
 * org.fedometer.analysis.timeline.RunCourse} is worked out from a run's tables, {@link
 * org.fedometer.analysis.timeline.CourseJson} writes it for a page. Reads the store, changes
 * nothing in it.
 */
package org.fedometer.analysis.timeline;
