/**
 * The Java of a stack's Fedora: which there are, whether one takes the options that a profile asks
 * for, and the arguments of its command line.
 */
package org.fedometer.profiles.stack.java;
