/** Experiments: many runs in the order of a plan, until the question is answered. */
package org.fedometer.experiments.series;
