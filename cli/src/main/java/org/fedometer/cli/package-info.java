/**
 * The command line: a class for each command and for each group of options that several have, and
 * what is printed. {@link org.fedometer.cli.Main} is where it begins. Decides nothing about runs;
 * what a command does is a job of {@code experiments} or a question to {@code analysis} and {@code
 * store}. All packages below use {@code terminal} and {@code option}.
 */
package org.fedometer.cli;
