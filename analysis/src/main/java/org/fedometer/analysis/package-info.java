/**
 * Says what a run's numbers mean, a package for each question: {@code report} (one run), {@code
 * trace} (one object), {@code logs}, {@code compare} (runs and profiles), {@code timeline} (over
 * time), {@code study}; {@code statistics} answers with an interval, {@code text} and {@code html}
 * write it down. Reads the store, changes nothing in it.
 */
package org.fedometer.analysis;
