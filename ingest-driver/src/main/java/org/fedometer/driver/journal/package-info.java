/**
 * The driver's write-ahead log: which objects were begun, which Fedora acknowledged, and for which
 * it is not known yet whether their triples are on disk.
 */
package org.fedometer.driver.journal;
