/**
 * What woven code calls: the aspects, a stage each, and what they read of Fedora's objects. It runs
 * on Fedora's own threads and throws nothing, locks nothing and waits for nothing.
 */
package org.fedometer.aspects;
