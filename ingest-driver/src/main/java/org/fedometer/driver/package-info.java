/**
 * Loads a dataset into Fedora. {@link org.fedometer.driver.IngestDriver} sends the objects; when it
 * resumes an earlier ingest, it first checks what Fedora has kept.
 *
 * <p>Each package uses only those before it: {@code threads}, {@code fedora} (the REST interface),
 * {@code content}, {@code request} (one request and its outcome), {@code object} (operations on one
 * object), {@code load} (when and by how many workers), {@code mix}, this one, {@code study} and
 * {@code verify}. {@code journal} is independent.
 */
package org.fedometer.driver;
