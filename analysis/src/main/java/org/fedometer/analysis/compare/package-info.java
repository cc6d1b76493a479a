/**
 * Compares profiles: which is better, by how much, with which confidence, and why. The command
 * {@code compare} resolves a {@link org.fedometer.analysis.compare.Lineup}, computes a {@link
 * org.fedometer.analysis.compare.ProfileComparison}, and writes it.
 */
package org.fedometer.analysis.compare;
