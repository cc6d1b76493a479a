/**
 * Profiles against each other: which is better, by how much, how sure, and why. {@code compare}
 * makes a {@link org.fedometer.analysis.compare.Lineup} of what the user names, has a {@link
 * org.fedometer.analysis.compare.ProfileComparison} worked out, and writes it.
 */
package org.fedometer.analysis.compare;
