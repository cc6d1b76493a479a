/** What the ingest driver itself takes. */
package org.fedometer.benchmarks.driver;
