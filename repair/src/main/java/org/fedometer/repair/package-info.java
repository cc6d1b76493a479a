/**
 * Looks at the repository of a stopped Fedora and mends it. Runs in a JVM of its own, with that
 * Fedora's Java and libraries on its class path; the tool starts it, tells it everything by
 * standard input, and reads what it finds from standard output.
 */
package org.fedometer.repair;
