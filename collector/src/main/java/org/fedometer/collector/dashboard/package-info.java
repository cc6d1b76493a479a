/**
 * The course of runs as a browser shows it: of open ones in memory, of ended ones from the store.
 */
package org.fedometer.collector.dashboard;
