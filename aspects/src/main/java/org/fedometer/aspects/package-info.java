/**
 * Woven code: one aspect per stage, and readers of Fedora's objects. It runs on Fedora's threads,
 * throws nothing, and never locks or waits.
 */
package org.fedometer.aspects;
