/**
 * The plan of an experiment: its file, meaning, order of runs and estimated duration. Starts
 * nothing and knows no store.
 */
package org.fedometer.experiments.plan;
