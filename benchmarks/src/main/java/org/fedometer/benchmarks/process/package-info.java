/** Processes that benchmarks start, and what the operating system says of them. */
package org.fedometer.benchmarks.process;
