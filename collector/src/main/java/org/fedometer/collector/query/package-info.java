/**
 * Answering readers: questions about the store, a few at a time, away from the threads that take in
 * samples.
 */
package org.fedometer.collector.query;
