/**
 * The command line: a class for each command and each shared group of options, and its output.
 * {@link org.fedometer.cli.Main} is the entry point. It has no logic of runs: commands call jobs of
 * {@code experiments} or query {@code analysis} and {@code store}. All packages below use {@code
 * terminal} and {@code option}.
 */
package org.fedometer.cli;
