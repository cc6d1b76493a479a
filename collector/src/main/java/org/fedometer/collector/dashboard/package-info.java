/** Timelines of runs for browsers: open runs from memory, ended runs from the store. */
package org.fedometer.collector.dashboard;
