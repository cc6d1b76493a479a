/**
 * Specification and results of a load: objects, steps, mixes and studies as requested, the progress
 * panel, and their part of {@code run.json}.
 */
package org.fedometer.experiments.load;
