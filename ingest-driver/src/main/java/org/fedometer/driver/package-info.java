/**
 * Loads a dataset into a Fedora: {@link org.fedometer.driver.IngestDriver} sends, and when it goes
 * on where another has ended, looks first at what Fedora has kept. Its packages, each of which uses
 * only those before it: {@code threads}, {@code fedora} (the REST interface), {@code content},
 * {@code request} (one request and what it came to), {@code object} (what is done to one), {@code
 * load} (when, and by how many), {@code mix}; then this one; then {@code study} and {@code verify}.
 * {@code journal} stands by itself.
 */
package org.fedometer.driver;
