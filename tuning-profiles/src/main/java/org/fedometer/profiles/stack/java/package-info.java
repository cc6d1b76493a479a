/**
 * The Java of a stack's Fedora: available versions, their support of a profile's options, and the
 * arguments of the command line.
 */
package org.fedometer.profiles.stack.java;
