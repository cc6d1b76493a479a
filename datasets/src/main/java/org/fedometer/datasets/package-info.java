/** Objects as pure functions of a number, and their FOXML. */
package org.fedometer.datasets;
