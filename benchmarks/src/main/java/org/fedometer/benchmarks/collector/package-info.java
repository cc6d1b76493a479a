/**
 * How fast the collector takes in, stores and answers: frames of a real ingest, replayed against a
 * collector in a process of its own.
 */
package org.fedometer.benchmarks.collector;
