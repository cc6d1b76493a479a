/** How long the picture of a run of sixteen days takes. */
package org.fedometer.benchmarks.report;
