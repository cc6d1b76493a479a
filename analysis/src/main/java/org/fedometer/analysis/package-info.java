/**
 * Says what a run's numbers mean: {@link org.fedometer.analysis.RunReport} is worked out from a run
 * folder, {@link org.fedometer.analysis.TextReport} writes it for people and {@link
 * org.fedometer.analysis.JsonReport} for programs. Reads the store, changes nothing in it.
 */
package org.fedometer.analysis;
