/**
 * Examines and repairs the repository of a stopped Fedora. Runs in a separate JVM, with that
 * Fedora's Java, and its libraries on the class path. The tool starts it, passes all settings
 * through standard input, and reads the findings from standard output.
 */
package org.fedometer.repair;
