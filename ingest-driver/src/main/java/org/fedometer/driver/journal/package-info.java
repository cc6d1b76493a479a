/**
 * The driver's write-ahead log: which objects were begun, which Fedora acknowledged, and for which
 * the triples are not yet known to be on disk.
 */
package org.fedometer.driver.journal;
