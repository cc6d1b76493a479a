/**
 * Operations on one object, in as many requests as needed: ingest, read-back, change, purge.
 * Resolves lost responses by querying Fedora.
 */
package org.fedometer.driver.object;
