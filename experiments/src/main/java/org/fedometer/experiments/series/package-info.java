/** An experiment: many runs in the order of a plan, until its question is answered. */
package org.fedometer.experiments.series;
