/**
 * An experiment before it is conducted: the file that somebody writes, what it means, in which
 * order its runs go, how long that takes. Starts nothing and knows no store.
 */
package org.fedometer.experiments.plan;
